import type { Field } from "../../../../src/contract/fields/fields.ts";

/** How a field is shown and edited. */
type Kind =
  | "text"
  | "email"
  | "phone"
  | "id"
  | "number"
  | "money"
  | "boolean"
  | "choice"
  | "status"
  | "owner"
  | "list"
  | "day"
  | "moment";

/** A field that can be a column. */
export interface LeadColumn {
  name: string;
  label: string;
  kind: Kind;
  options: readonly string[];
  sortable: boolean;
  writable: boolean;
}

const KINDS: Readonly<Record<string, Kind>> = {
  text: "text",
  email: "email",
  phone: "phone",
  id: "id",
  number: "number",
  boolean: "boolean",
  enum: "choice",
  tags: "list",
  date: "moment",
};

const OWN: Readonly<Record<string, Kind>> = { status: "status", owner_id: "owner", value: "money" };

const SIZES: Partial<Record<Kind, number>> = {
  email: 220,
  phone: 184,
  id: 220,
  list: 200,
  boolean: 120,
  number: 120,
  money: 140,
  moment: 150,
};

/** The width of a column until the person changes it. */
export const usualSize = ({ name, kind }: LeadColumn): number =>
  name === "name" ? 240 : (SIZES[kind] ?? 160);

/** Returns the fields that can be columns. `types` are the exact types of custom fields; `deleted` is for a list of deleted leads. */
export const columnsOf = (
  fields: readonly Field[],
  types: ReadonlyMap<string, string>,
  deleted: boolean,
): LeadColumn[] =>
  fields.flatMap(({ name, label, type, options, sortable, writable }) => {
    const kind = types.get(name) === "date" ? "day" : (OWN[name] ?? KINDS[type]);
    if (kind === undefined || name === "merged_into_id") return [];
    if (name === "deleted_at")
      return deleted ? [{ name, label, kind, options: [], sortable: true, writable }] : [];
    return [{ name, label, kind, options: options ?? [], sortable, writable: writable && !deleted }];
  });
