import type { ColumnRule, ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { ColumnProfile } from "../file/column-profile.ts";

/** A mapping while it is made: rules in their long form by header, and the other parts, which may be changed. */
export interface Draft {
  rules: Map<string, ColumnRule>;
  set: Record<string, string>;
  fields: NonNullable<ImportMapping["fields"]>;
  options: NonNullable<ImportMapping["options"]>;
  skipIf: NonNullable<ImportMapping["skip_if"]>;
  optOutIf: NonNullable<ImportMapping["opt_out_if"]>;
  /** The other parts of the mapping. */
  rest: Omit<ImportMapping, "columns" | "set" | "fields" | "options" | "skip_if" | "opt_out_if">;
}

/** Returns a mapping as a draft. */
export const draftOf = ({
  columns,
  set,
  fields,
  options,
  skip_if: skipIf,
  opt_out_if: optOutIf,
  ...rest
}: ImportMapping): Draft => ({
  rules: new Map(
    Object.entries(columns).map(([name, rule]) => [
      name,
      typeof rule === "string" ? { field: rule } : { ...rule },
    ]),
  ),
  set: { ...set },
  fields: { ...fields },
  options: { ...options },
  skipIf: { ...skipIf },
  optOutIf: { ...optOutIf },
  rest,
});

/** Returns a draft as a mapping, with its columns in the order of the file. */
export function mappingOf(
  { rules, set, fields, options, skipIf, optOutIf, rest }: Draft,
  columns: readonly ColumnProfile[],
): ImportMapping {
  const inOrder = columns.flatMap(({ name }) => {
    const rule = rules.get(name);
    return rule === undefined ? [] : [[name, Object.keys(rule).length === 1 ? rule.field : rule] as const];
  });
  const others = [...rules].filter(([name]) => !columns.some((column) => column.name === name));
  return {
    columns: Object.fromEntries([...inOrder, ...others]),
    ...filled({ set, fields, options, skip_if: skipIf, opt_out_if: optOutIf }),
    ...rest,
  };
}

/** The parts that have something. */
const filled = <Parts extends Record<string, object>>(parts: Parts): Partial<Parts> =>
  Object.fromEntries(
    Object.entries(parts).filter(([, part]) => Object.keys(part).length > 0),
  ) as Partial<Parts>;

/** The columns that fill a field, in the order of the file. */
export const columnsOf = (draft: Draft, field: string, columns: readonly ColumnProfile[]): ColumnProfile[] =>
  columns.filter(({ name }) => draft.rules.get(name)?.field === field);
