import type { FoundPreset } from "../../../contract/imports/import.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import type { Preset } from "../mapping/preset-list.ts";
import { detectPresets, presetNamed } from "../mapping/presets.ts";
import { type Ask, ask, choice } from "./ask.ts";

/** The program that wrote a file, asked if several fit. */
export function programOf(
  columns: readonly ColumnProfile[],
  declared: string | undefined,
  settle: (ask: Ask) => string | null,
): { preset: Preset | undefined; shown: FoundPreset | null } {
  const of = (preset: Preset | undefined, because: string[]) => ({
    preset,
    shown: preset === undefined ? null : { name: preset.name, because },
  });
  if (declared !== undefined) return of(presetNamed(declared), []);
  const fitting = detectPresets(columns.map(({ name }) => name));
  const [first] = fitting;
  if (first === undefined || fitting.length === 1) return of(first?.preset, first?.because ?? []);
  const picked = settle(
    ask("program", "program", {
      message: `The file looks like one of ${first.preset.name}; it may be of another program.`,
      choices: [
        ...fitting.map(({ preset, because }) => choice(preset.name, preset.name, because)),
        choice("none", "None of these"),
      ],
      default: first.preset.name,
      apply: () => undefined,
    }),
  );
  const chosen = fitting.find(({ preset }) => preset.name === picked);
  return of(chosen?.preset, chosen?.because ?? []);
}
