import { Type } from "typebox";
import type { CellType } from "../../../contract/lists/column-types.ts";
import { memberOperation } from "../../operation/operation.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import { openTarget } from "../mapping/open-target.ts";
import { PRESETS } from "../mapping/preset-list.ts";
import { propose } from "./propose.ts";

/** The programs with a preset. */
export const IMPORT_SYSTEMS: readonly string[] = PRESETS.map(({ name }) => name);

/** How an import would map a header. */
export interface SuggestedMapping {
  /** The program whose file it resembles. */
  system: string | null;
  columns: Record<string, unknown>;
  unmapped: string[];
  /** Every field that a column can fill. */
  fields: { name: string; type: CellType; options: string[] }[];
}

/** Suggests a field for each column of a header by names alone, without cells. */
export const suggestMapping = memberOperation({
  name: "imports.suggest",
  needs: "leads:read",
  input: Type.Object(
    {
      header: Type.Array(Type.String({ minLength: 1, maxLength: 500 }), { maxItems: 500 }),
      system: Type.Optional(Type.Enum([...IMPORT_SYSTEMS])),
    },
    { additionalProperties: false },
  ),
  async run({ db, caller }, { header, system }): Promise<SuggestedMapping> {
    const target = await db.transaction((tx) => openTarget(tx, caller.projectId, { columns: {} }));
    const profiles = [...new Set(header)].map(blank);
    const facts = { columns: profiles, doubts: {} };
    const { mapping, preset } = propose(facts, { target, given: { preset: system }, mayCreate: false });
    return {
      system: preset?.name ?? null,
      columns: mapping.columns,
      unmapped: profiles.flatMap(({ name }) => (Object.hasOwn(mapping.columns, name) ? [] : [name])),
      fields: [...target.fields].map(([name, { type, options }]) => ({ name, type, options })),
    };
  },
});

const blank = (name: string): ColumnProfile => ({
  name,
  filled: 0,
  samples: [],
  values: null,
  dates: null,
  decimals: null,
});
