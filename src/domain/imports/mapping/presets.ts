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

/** A program that may have written a file, and the headers that show it. */
export interface FittingPreset {
  preset: Preset;
  because: string[];
}

/** A program whose headers are fewer fits nearly as well if it has as many of them as this. */
const ENOUGH = 3;

/** Returns the programs that may have written a file with this header, the likeliest first; the others fit nearly as well. */
export function detectPresets(header: readonly string[]): FittingPreset[] {
  const names = new Set(header.map(plainHeader));
  const found = PRESETS.flatMap((preset) => {
    const because = reasonsFor(preset, names);
    return because.length === 0 ? [] : [{ preset, because, known: knownOf(preset, names) }];
  }).sort((a, b) => b.because.length - a.because.length || b.known - a.known);
  const most = found[0]?.because.length ?? 0;
  return found
    .filter(({ because }) => because.length >= Math.min(ENOUGH, most - 1))
    .map(({ preset, because }) => ({ preset, because }));
}

/** Returns the headers that show that a program wrote a file; none if it did not. */
function reasonsFor({ tell, or = [], also, not = [] }: Preset, names: ReadonlySet<string>): string[] {
  const has = (name: string) => names.has(plainHeader(name));
  const fitting = [tell, ...or].filter((each) => each.every((any) => any.some(has)));
  if (fitting.length === 0 || !also.some(has) || not.some(has)) return [];
  const reasons = [...fitting.flat(2), ...also].filter(has).map((name) => [plainHeader(name), name] as const);
  return [...new Map(reasons).values()];
}

/** Returns how many columns of a file a program has a use for. */
const knownOf = ({ columns, custom = {} }: Preset, names: ReadonlySet<string>): number =>
  [...Object.keys(columns), ...Object.keys(custom)].filter((name) => names.has(plainHeader(name))).length;
