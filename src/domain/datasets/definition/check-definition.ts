import type { LeadLink } from "../../../contract/datasets/dataset.ts";
import type { ColumnInput } from "../../../contract/datasets/datasets.ts";
import { LINKING, mayBeUnique } from "../../../contract/lists/datasets.ts";
import { type Fault, malformed } from "../../../core/refusal.ts";

interface Definition {
  key?: string | undefined;
  name?: string | undefined;
  columns: readonly ColumnInput[];
  key_column?: string | null | undefined;
  lead_link?: LeadLink | null | undefined;
}

/** Refuses an inconsistent definition, with a path for every fault. */
export function checkDefinition({
  key,
  name,
  columns,
  key_column: keyColumn,
  lead_link: link,
}: Definition): void {
  const faults: Fault[] = [];
  const wrong = (path: string, code: string, message: string) => faults.push({ path, code, message });
  if (key?.startsWith("ds_") === true)
    wrong("$.key", "reserved", "must not start with ds_, which is reserved for ids");
  if (name !== undefined) checkText(name, "$.name", wrong);
  const seen = new Map<string, ColumnInput>();
  columns.forEach((column, i) => {
    const path = `$.columns[${i}]`;
    if (seen.has(column.key)) wrong(`${path}.key`, "repeated", "is already the key of another column");
    if (column.key === "project_id")
      wrong(`${path}.key`, "reserved", "is reserved: in a request body it names the project");
    seen.set(column.key, column);
    checkColumn(column, path, wrong);
  });
  if (typeof keyColumn === "string") {
    const column = seen.get(keyColumn);
    if (column === undefined)
      wrong("$.key_column", "unknown_column", "must be the key of one of the columns");
    else if (!mayBeUnique(column.type))
      wrong("$.key_column", "not_unique", `must not be a column of type ${column.type}`);
  }
  if (link !== null && link !== undefined) {
    const column = seen.get(link.column);
    const types = LINKING[link.match];
    if (column === undefined)
      wrong("$.lead_link.column", "unknown_column", "must be the key of one of the columns");
    else if (!types.includes(column.type))
      wrong("$.lead_link.column", "type", `must be of type ${types.join(" or ")} to match by ${link.match}`);
  }
  if (faults.length > 0) throw malformed(faults.slice(0, 20));
}

type Wrong = (path: string, code: string, message: string) => unknown;

function checkColumn({ type, label, unique, options }: ColumnInput, path: string, wrong: Wrong): void {
  if (label !== undefined) checkText(label, `${path}.label`, wrong);
  if (unique === true && !mayBeUnique(type))
    wrong(`${path}.unique`, "not_unique", `a column of type ${type} cannot be unique`);
  if (type !== "enum") {
    if (options !== undefined && options.length > 0)
      wrong(`${path}.options`, "unexpected", "are allowed only for the type enum");
    return;
  }
  if (options === undefined || options.length === 0)
    return void wrong(`${path}.options`, "required", "are required for the type enum");
  if (new Set(options).size < options.length)
    wrong(`${path}.options`, "repeated", "must not have duplicates");
  options.forEach((option, i) => {
    checkText(option, `${path}.options[${i}]`, wrong);
    if (option !== option.trim())
      wrong(`${path}.options[${i}]`, "white_space", "must not start or end with white space");
  });
}

function checkText(text: string, path: string, wrong: Wrong): void {
  if (!text.isWellFormed()) wrong(path, "lone_surrogate", "must be well-formed Unicode");
  else if (text.includes("\0")) wrong(path, "nul", "must not contain the character NUL");
  else if (text.trim() === "") wrong(path, "required", "must not be empty");
}
