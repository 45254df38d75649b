import type { Column, Dataset, LeadLink } from "../../../../src/contract/datasets/dataset.ts";
import type { DatasetChanges, DatasetInput } from "../../../../src/contract/datasets/datasets.ts";
import type { ColumnType } from "../../../../src/contract/lists/column-types.ts";
import { LINKING, MATCHES, type Match } from "../../../../src/contract/lists/datasets.ts";
import { randomId } from "../../api/random-id.ts";
import { freeKey, plainKey } from "../../records/key-from.ts";

/** A column in the form. `was` is its stored key, undefined for a new column. */
export interface DraftColumn extends Column {
  id: string;
  was: string | undefined;
  goes: boolean;
}

/** A dataset in the form. Columns are referenced by id, so that a key can be edited. */
export interface DatasetDraft {
  name: string;
  key: string;
  columns: readonly DraftColumn[];
  keyColumn: string | null;
  link: { column: string; match: Match; personal: boolean } | null;
}

/** Returns a new column that is not stored yet. */
export function newColumn(given: Partial<Column> = {}): DraftColumn {
  const blank: Column = {
    key: "",
    label: "",
    type: "text",
    required: false,
    unique: false,
    options: [],
  };
  return { ...blank, ...given, id: `new-${randomId()}`, was: undefined, goes: false };
}

export function draftOf({
  name,
  key,
  columns,
  key_column: keyColumn,
  lead_link: link,
}: Dataset): DatasetDraft {
  return {
    name,
    key,
    columns: columns.map((column) => ({ ...column, id: column.key, was: column.key, goes: false })),
    keyColumn,
    link: link === null ? null : { ...link, personal: link.personal ?? true },
  };
}

const stays = ({ columns }: DatasetDraft): DraftColumn[] => columns.filter(({ goes }) => !goes);
const keyIn = (draft: DatasetDraft, id: string | null): string | null =>
  stays(draft).find((column) => column.id === id)?.key ?? null;

const linkIn = (draft: DatasetDraft): LeadLink | null => {
  const column = draft.link === null ? null : keyIn(draft, draft.link.column);
  if (column === null || draft.link === null) return null;
  return { column, match: draft.link.match, personal: draft.link.personal };
};

const inputOf = ({ key, label, type, required, unique, options, was }: DraftColumn) => ({
  ...{ key, label, type, required, unique },
  ...(type === "enum" && { options }),
  ...(was !== undefined && was !== key && { was }),
});

/** Returns the API's input for a new dataset. */
export const createOf = (draft: DatasetDraft): DatasetInput => ({
  key: draft.key,
  name: draft.name.trim() || draft.key,
  columns: stays(draft).map(inputOf),
  key_column: keyIn(draft, draft.keyColumn),
  lead_link: linkIn(draft),
});

/** Returns the API's patch with only what the draft changes, and the columns to drop; undefined without changes. */
export function patchOf(
  dataset: Dataset,
  draft: DatasetDraft,
): { patch: DatasetChanges; dropped: readonly DraftColumn[] } | undefined {
  const present = draftOf(dataset);
  const dropped = draft.columns.filter(({ goes, was }) => goes && was !== undefined);
  const columns = stays(draft).map(inputOf);
  const differs = JSON.stringify(columns) !== JSON.stringify(present.columns.map(inputOf));
  const [keyColumn, link] = [keyIn(draft, draft.keyColumn), linkIn(draft)];
  const isOther = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
  const patch: DatasetChanges = {
    ...(draft.name.trim() !== dataset.name && { name: draft.name.trim() }),
    ...(draft.key !== dataset.key && { key: draft.key }),
    ...(differs && { columns }),
    ...(dropped.length > 0 && { drop: dropped.flatMap(({ was }) => was ?? []) }),
    ...(isOther(keyColumn, dataset.key_column) && { key_column: keyColumn }),
    ...(isOther(link, dataset.lead_link) && { lead_link: link }),
  };
  return Object.keys(patch).length === 0 ? undefined : { patch, dropped };
}

/** Returns the lead fields that a column of this type can be matched with. */
export const matchesOf = (type: ColumnType): Match[] =>
  MATCHES.filter((match) => LINKING[match].includes(type));

export const isKey = (key: string): boolean => /^[a-z][a-z0-9_]{0,59}$/.test(key);

/** Makes a key from a name: `Tamanho da equipe` becomes `tamanho_da_equipe`. */
export function columnKeyFrom(name: string, taken: readonly string[] = []): string {
  const plain = plainKey(name);
  return freeKey(plain === "" || plain === "project_id" ? "column" : plain, (key) => taken.includes(key));
}

/** Returns the draft without a column: removes a new one, marks a stored one, and clears a key or link that used it. */
export function withoutColumn(draft: DatasetDraft, id: string): DatasetDraft {
  return {
    ...draft,
    columns: draft.columns.flatMap((column) =>
      column.id !== id ? column : column.was === undefined ? [] : { ...column, goes: true },
    ),
    keyColumn: draft.keyColumn === id ? null : draft.keyColumn,
    link: draft.link?.column === id ? null : draft.link,
  };
}
