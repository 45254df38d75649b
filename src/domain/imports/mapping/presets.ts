import { Type } from "typebox";
import { Refusal } from "../../../core/refusal.ts";
import { plainHeader } from "./header-words.ts";
import { PRESETS, type Preset } from "./preset-list.ts";

export const presetNamed = (name: string): Preset | undefined =>
  PRESETS.find((preset) => preset.name === name);

/** The name of a preset before it is checked by `knownPreset`, whose refusal names all. */
export const PresetText = Type.Optional(Type.String({ maxLength: 50 }));

/** Refuses an unknown preset; `none` means no preset. */
export function knownPreset(name: string | undefined): void {
  if (name === undefined || name === "none" || presetNamed(name) !== undefined) return;
  const known = PRESETS.map((each) => each.name).join(", ");
  throw new Refusal("malformed", "unknown_preset", `The preset must be one of ${known}, none.`);
}

/** Returns the program that wrote a file with this header, and the headers that show it. */
export function detectPreset(header: readonly string[]): { preset: Preset; because: string[] } | undefined {
  const names = new Set(header.map(plainHeader));
  const has = (name: string) => names.has(plainHeader(name));
  const found = PRESETS.filter(({ tell, also }) => tell.every((any) => any.some(has)) && also.some(has)).map(
    (preset) => ({ preset, because: [...preset.tell.flat(), ...preset.also].filter(has) }),
  );
  return found.sort((a, b) => b.because.length - a.because.length)[0];
}
