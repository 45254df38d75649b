import type { ColumnInput, DatasetChanges } from "../../contract/datasets/datasets.ts";
import { newId } from "../../core/id.ts";
import { Refusal } from "../../core/refusal.ts";
import { type Column, shownColumn } from "../fields/column.ts";
import type { Link } from "../fields/link.ts";
import { bad } from "../values/bad-input.ts";
import { columnFrom } from "./create-dataset.ts";
import { checkDefinition } from "./definition/check-definition.ts";
import { type Change, columnOf, type Dataset, type Dropped } from "./definition/dataset.ts";

/** The dataset after a change, and what must first be done to its rows. */
export interface ChangePlan {
  key: string;
  name: string;
  columns: Column[];
  keyColumn: string | null;
  link: Link | null;
  /** Undefined if no row must be checked. */
  change: Change | undefined;
  /** What rows no longer need afterwards. */
  dropped: Omit<Dropped, "at">[];
  /** Whether existing rows would lack a required value. */
  emptyOnly: boolean;
  slots: number;
}

/** Plans a change of a dataset; refuses an inconsistent definition (400) and a key in use (409). */
export function planChange(dataset: Dataset, patch: DatasetChanges): ChangePlan {
  const { drop = [] } = patch;
  drop.forEach((key, i) => {
    if (columnOf(dataset, key) === undefined)
      bad(`$.drop[${i}]`, "unknown_column", "is not a column of this dataset");
  });
  const inputs: readonly ColumnInput[] = patch.columns ?? kept(dataset, drop);
  const sources = sourcesOf(dataset, inputs, drop);
  const renamed = (key: string | null): string | null =>
    key === null ? null : (inputs.find((_, i) => sources[i]?.key === key)?.key ?? key);
  const keyColumn = patch.key_column === undefined ? renamed(dataset.key_column) : patch.key_column;
  const named = patch.lead_link === undefined ? linkNow(dataset, renamed) : patch.lead_link;
  if (patch.key_column === undefined) refuseDropped("key_column", dataset.key_column, drop);
  if (patch.lead_link === undefined) refuseDropped("lead_link", dataset.lead_link?.column ?? null, drop);
  checkDefinition({
    key: patch.key,
    name: patch.name,
    columns: inputs,
    key_column: keyColumn,
    lead_link: named,
  });

  let { slots } = dataset;
  const change: Change = { token: newId("req"), columns: {} };
  const dropped: Omit<Dropped, "at">[] = [];
  let emptyOnly = false;
  const columns = inputs.map((input, i) => {
    const source = sources[i];
    const column = columnFrom(input, source?.slot ?? `c${slots + 1}`, keyColumn);
    if (source === undefined) emptyOnly ||= column.required;
    else if (!isTightened(source, column)) return column;
    slots += 1;
    const moved = { ...column, slot: `c${slots}` };
    if (source === undefined) return moved;
    change.columns[source.slot] = moved;
    dropped.push({ slot: source.slot });
    return moved;
  });
  for (const { slot } of dataset.columns.filter(({ key }) => drop.includes(key))) dropped.push({ slot });
  const link = linkFrom(dataset, named, columns);
  if (link !== null && link.side !== dataset.lead_link?.side) change.link = link;
  if (dataset.lead_link !== null && link?.side !== dataset.lead_link.side)
    dropped.push({ side: dataset.lead_link.side });
  const needed = Object.keys(change.columns).length > 0 || change.link !== undefined;
  return {
    key: patch.key ?? dataset.key,
    name: patch.name?.trim() ?? dataset.name,
    ...{ columns, keyColumn, link, dropped, emptyOnly, slots },
    change: needed ? change : undefined,
  };
}

const kept = ({ columns }: Dataset, drop: readonly string[]): ColumnInput[] =>
  columns
    .filter(({ key }) => !drop.includes(key))
    .map((column) => ({ ...shownColumn(column), options: [...column.options] }));

const linkNow = ({ lead_link: link }: Dataset, renamed: (key: string | null) => string | null) =>
  link === null
    ? null
    : { column: renamed(link.column) ?? link.column, match: link.match, personal: link.personal ?? true };

/** Returns the current column that each new one continues, if any. Refuses to lose a column that is not in `drop`. */
function sourcesOf(
  dataset: Dataset,
  inputs: readonly ColumnInput[],
  drop: readonly string[],
): (Column | undefined)[] {
  const sources = inputs.map(({ key, was }, i) => {
    const source = columnOf(dataset, was ?? key);
    if (source === undefined && was !== undefined)
      bad(`$.columns[${i}].was`, "unknown_column", "is not a column of this dataset");
    return source !== undefined && drop.includes(source.key) ? undefined : source;
  });
  const used = new Set(sources);
  if (
    sources.filter((source) => source !== undefined).length >
    [...used].filter((each) => each !== undefined).length
  )
    bad("$.columns", "repeated", "names a column that another one names, too");
  for (const column of dataset.columns) {
    if (!used.has(column) && !drop.includes(column.key))
      bad(
        "$.columns",
        "column_missing",
        `must include ${column.key}; to delete it with its values, name it in drop`,
      );
  }
  return sources;
}

/** Types whose values are also valid, unchanged, for other types. */
const WIDER: Readonly<Record<string, readonly string[]>> = {
  integer: ["number"],
  email: ["text"],
  url: ["text"],
  phone: ["text"],
  enum: ["text"],
  date: ["text"],
};

/** Whether the changed column could reject existing values, or store them differently. */
function isTightened(from: Column, to: Column): boolean {
  if ((to.required && !from.required) || (to.unique && !from.unique)) return true;
  if (from.type === "enum" && to.type === "enum")
    return from.options.some((option) => !to.options.includes(option));
  if (from.type === to.type) return false;
  return to.unique || !(WIDER[from.type] ?? []).includes(to.type);
}

/** A new link uses the other side of the rows. */
function linkFrom(
  { lead_link: present }: Dataset,
  named: { column: string; match: Link["match"]; personal?: boolean | undefined } | null,
  columns: readonly Column[],
): Link | null {
  if (named === null) return null;
  const slot = columns.find(({ key }) => key === named.column)?.slot ?? "";
  const same = present !== null && present.slot === slot && present.match === named.match;
  const side = present === null ? 0 : same ? present.side : present.side === 0 ? 1 : 0;
  const personal = named.personal ?? present?.personal ?? true;
  return { column: named.column, match: named.match, slot, side, personal };
}

function refuseDropped(
  what: "key_column" | "lead_link",
  column: string | null,
  drop: readonly string[],
): void {
  if (column === null || !drop.includes(column)) return;
  const message = `${column} is the dataset's ${what}. Set another ${what}, or null, in the same change.`;
  throw new Refusal("conflict", "column_in_use", message, {
    faults: [{ path: "$.drop", code: "column_in_use", message: column }],
  });
}
