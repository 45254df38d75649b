import type { CellType } from "./column-types.ts";
import { type InputType, LEAD_FIELDS, type LeadField, type LeadFieldName } from "./lead-fields.ts";

const writtenBy = (who: LeadField["writtenBy"]): [LeadFieldName, InputType][] =>
  LEAD_FIELDS.flatMap((field): [LeadFieldName, InputType][] =>
    field.input !== undefined && field.writtenBy === who ? [[field.name, field.input]] : [],
  );

/** The standard fields that callers write, with their types; the service sets all others. */
export const WRITABLE: ReadonlyMap<string, InputType> = new Map(writtenBy(undefined));

/** Types that the cells of files do not have: how a cell is read, and each entry of a list. */
const CELLS: Record<Exclude<InputType, CellType>, { type: CellType; entries?: CellType }> = {
  emails: { type: "list", entries: "email" },
  phones: { type: "list", entries: "phone" },
  currency: { type: "text" },
  owner: { type: "text" },
};

const cellOf = (input: InputType): { type: CellType; entries?: CellType } =>
  input in CELLS ? CELLS[input as keyof typeof CELLS] : { type: input as CellType };

const IMPORTED = [...writtenBy(undefined), ...writtenBy("files")];

/** The standard fields that a file fills, and how a cell of each is read. */
export const IMPORT_FIELDS: Readonly<Record<string, CellType>> = Object.fromEntries(
  IMPORTED.map(([name, input]) => [name, cellOf(input).type]),
);

/** Lists whose entries are read one by one, and how. */
export const ENTRY_TYPES: Readonly<Record<string, CellType>> = Object.fromEntries(
  IMPORTED.flatMap(([name, input]) => {
    const { entries } = cellOf(input);
    return entries === undefined ? [] : [[name, entries]];
  }),
);

/** Columns that are never null, with the value of a new lead whose value is blank. */
export const NEW_LEAD_VALUES: Readonly<Record<string, boolean | string[]>> = Object.fromEntries(
  LEAD_FIELDS.flatMap(({ name, blank }) =>
    blank === undefined ? [] : [[name, blank === false ? false : []]],
  ),
);
