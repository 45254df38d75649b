import { sameValue } from "../../records/value.ts";
import type { DatasetDraft, DraftColumn } from "./schema.ts";

/** What is typed about a dataset, on what the person saw. */
export interface TypedSchema {
  draft: DatasetDraft;
  seen: DatasetDraft;
  /** Whether someone else changed the dataset since typing began, and the columns or parts that both changed. */
  joined: boolean;
  both: readonly string[];
}

/** Puts what is typed on what a colleague stored since: the person's changes stay, all else is the colleague's. */
export function rebased(typed: TypedSchema, now: DatasetDraft, words: Record<Part, string>): TypedSchema {
  const { draft, seen } = typed;
  if (sameValue(seen, now)) return typed;
  const both = new Set(typed.both);
  const merge = <T>(mine: T, was: T, theirs: T, called: string): T => {
    if (sameValue(mine, was)) return theirs;
    if (!sameValue(was, theirs) && !sameValue(mine, theirs)) both.add(called);
    return mine;
  };
  const part = <P extends Part>(name: P) => merge(draft[name], seen[name], now[name], words[name]);
  const named = (columns: readonly DraftColumn[], id: string) => columns.find((column) => column.id === id);
  const columns = draft.columns.flatMap((mine): DraftColumn | readonly DraftColumn[] => {
    const [was, theirs] = [named(seen.columns, mine.id), named(now.columns, mine.id)];
    if (was === undefined) return mine;
    if (theirs !== undefined) return merge(mine, was, theirs, was.label);
    // deleted or renamed by the colleague: what was typed about it would be a new column
    if (sameValue(mine, was) || mine.goes) return [];
    both.add(was.label);
    return { ...mine, id: `kept-${mine.id}`, was: undefined };
  });
  const added = now.columns.filter(({ id }) => named(seen.columns, id) === undefined);
  const next: DatasetDraft = {
    name: part("name"),
    key: part("key"),
    columns: sameValue(draft.columns, seen.columns) ? now.columns : [...columns, ...added],
    keyColumn: part("keyColumn"),
    link: part("link"),
  };
  return { draft: next, seen: now, joined: true, both: [...both] };
}

type Part = "name" | "key" | "keyColumn" | "link";
