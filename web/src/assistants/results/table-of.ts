import { type Fields, isFields, listIn } from "../host/answer.ts";

/** A table of an answer: the columns once, then the rows, then what all rows share. */
export interface Table {
  columns: string[];
  rows: readonly (readonly unknown[])[];
  same: readonly (readonly [string, unknown])[];
}

/** Columns of whole records that a table leaves out: numbers and times for programs, and what fits no cell. */
const SELDOM = /^(version|updated_at|import_id|phone_e164|do_not_contact|owner_id|omitted_fields)$/;
/** What the display name is made of. */
const IN_NAME = /^(name|first_name|last_name)$/;
/** The most columns of a table of whole records. */
const MOST = 12;

/** Reads a table, or a list of whole records as one. */
export function tableIn(value: unknown): Table {
  if (isFields(value)) {
    const rows = listIn(value, "rows").filter((row) => Array.isArray(row));
    const same = isFields(value.same) ? Object.entries(value.same) : [];
    return { columns: listIn(value, "columns").map(String), rows, same };
  }
  const records = (Array.isArray(value) ? value : []).filter(isFields).map(flat);
  const names = new Set(records.flatMap((record) => Object.keys(record)));
  const isLeft = (name: string) => SELDOM.test(name) || (names.has("display_name") && IN_NAME.test(name));
  const columns = [...names].filter((name) => !isLeft(name)).slice(0, MOST);
  return { columns, rows: records.map((record) => columns.map((name) => record[name])), same: [] };
}

/** A record with its custom fields among the others, without nested values. */
function flat({ custom, ...record }: Fields): Fields {
  const own = isFields(custom) ? Object.entries(custom).map(([key, value]) => [`custom.${key}`, value]) : [];
  return Object.fromEntries([...Object.entries(record), ...own].filter(([, value]) => !isFields(value)));
}
