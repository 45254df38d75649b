import type { Column } from "../record/import-record.ts";

const MOST = 50;

/** A key for a column's header that no field has yet: `Ticket médio` is ticket_medio. */
export function keyFrom(header: string, taken: ReadonlySet<string>): string {
  const plain = header
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "_")
    .replace(/^[^a-z]+|_+$/g, "")
    .slice(0, MOST);
  const base = plain === "" ? "field" : plain;
  let key = base;
  for (let n = 2; taken.has(`custom.${key}`); n += 1) key = `${base}_${n}`;
  return key;
}

const FORMS: readonly [type: string, form: RegExp][] = [
  ["integer", /^-?\d{1,15}$/],
  ["date", /^\d{4}-\d\d-\d\d$|^\d\d?[/.]\d\d?[/.]\d{4}$/],
  ["datetime", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/],
  ["number", /^-?[\d.,]*\d$/],
  ["boolean", /^(true|false|yes|no)$/i],
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ["url", /^https?:\/\//],
];

/** What a column seems to hold. */
export function typeOf(column: Column | undefined): string {
  const { samples = [], values = null, filled = 0 } = column ?? {};
  if (samples.length === 0) return "text";
  const [type] = FORMS.find(([, form]) => samples.every((sample) => form.test(sample.trim()))) ?? [];
  if (type !== undefined) return type;
  return values !== null && values.length <= 8 && filled >= values.length * 5 ? "enum" : "text";
}
