import { useCallback } from "react";
import type { Change } from "../../../src/contract/changes/change.ts";
import type { UndoOutcome } from "../../../src/contract/lists/changes.ts";
import { useFields } from "../api/queries.ts";
import { isolated } from "../changes/use-kept-text.ts";
import { useFormat } from "../words/format.ts";
import { useWords, type Words } from "../words/use-words.ts";

type Noun = "leads" | "rows" | "views" | "records";

interface Sentences {
  nouns: Record<Noun, readonly [one: string, many: string]>;
  /** So many records get back the former value of a field, or of several. */
  putBack(what: string, count: number, field: string | undefined): string;
  deleted(what: string, count: number): string;
  restored(what: string, count: number): string;
  withdrawn(what: string, count: number): string;
}

const SENTENCES: Words<Sentences> = {
  en: {
    nouns: {
      leads: ["lead", "leads"],
      rows: ["row", "rows"],
      views: ["view", "views"],
      records: ["record", "records"],
    },
    putBack: (what, count, field) => {
      const get = `${what} ${count === 1 ? "gets its" : "get their"} former`;
      return field === undefined ? `${get} values back.` : `${get} ${field} back.`;
    },
    deleted: (what, count) => `${what} ${count === 1 ? "is" : "are"} deleted.`,
    restored: (what, count) => `${what} ${count === 1 ? "is" : "are"} restored.`,
    withdrawn: (what, count) => `${what} ${count === 1 ? "loses" : "lose"} the events that were recorded.`,
  },
  "pt-BR": {
    nouns: {
      leads: ["lead", "leads"],
      rows: ["linha", "linhas"],
      views: ["visão", "visões"],
      records: ["registro", "registros"],
    },
    putBack: (what, count, field) => {
      const back = `${what} ${count === 1 ? "volta" : "voltam"}`;
      return field === undefined
        ? `${back} a ter os valores anteriores.`
        : `${back} a ter o valor anterior de ${field}.`;
    },
    deleted: (what, count) => `Exclusão de ${what}: ${count === 1 ? "volta" : "voltam"} a não existir.`,
    restored: (what, count) => `${what} ${count === 1 ? "volta" : "voltam"} a existir.`,
    withdrawn: (what, count) => `${what} ${count === 1 ? "perde" : "perdem"} os eventos registrados.`,
  },
};

const nounOf = ({ kind, about }: Change): Noun => {
  if (about.dataset_id !== undefined) return "rows";
  if (about.view_id !== undefined) return "views";
  return /^(field|statuses|untracked_fields)\./.test(kind) ? "records" : "leads";
};

/** Returns a function that tells what an undo would do, a sentence for each kind of outcome but what it keeps. */
export function useUndoSentences(): (
  change: Change,
  counts: Readonly<Partial<Record<UndoOutcome, number>>>,
) => string[] {
  const say = useWords(SENTENCES);
  const { number } = useFormat();
  const { data: fields } = useFields();
  return useCallback(
    (change, counts) => {
      const noun = say.nouns[nounOf(change)];
      const [only, ...others] = change.about.fields ?? [];
      const label = fields?.fields.find(({ name }) => name === only)?.label ?? only;
      const field = label === undefined || others.length > 0 ? undefined : isolated(label);
      const told = (count: number | undefined, tell: (what: string, count: number) => string): string[] =>
        count === undefined || count === 0
          ? []
          : [tell(`${number(count)} ${count === 1 ? noun[0] : noun[1]}`, count)];
      return [
        ...told(counts.put_back, (what, count) => say.putBack(what, count, field)),
        ...told(counts.deleted, say.deleted),
        ...told(counts.restored, say.restored),
        ...told(counts.withdrawn, say.withdrawn),
      ];
    },
    [say, number, fields],
  );
}
