import { useCallback } from "react";
import type { ChangeRecord } from "../../../src/contract/changes/change.ts";
import type { ViewQuery } from "../../../src/contract/leads/query.ts";
import { readFilter } from "../filter/model/read-filter.ts";
import { usePhrase } from "../filter/use-phrase.ts";
import { PANEL_WORDS } from "../filter/words/panel-words.ts";
import { useProjectSchema } from "../records/project-schema.ts";
import { useWords, type Words } from "../words/use-words.ts";

const DIRECTIONS: Words<Record<"asc" | "desc", string>> = {
  en: { asc: "ascending", desc: "descending" },
  "pt-BR": { asc: "crescente", desc: "decrescente" },
};

type Changes = ChangeRecord["changes"];

/** Returns a function for what changed of a record as people know it: the query of a view by its parts, in words. */
export function useShownChanges(): (record: Pick<ChangeRecord, "kind" | "changes">) => Changes {
  const { fields } = useProjectSchema();
  const phrase = usePhrase();
  const words = useWords(PANEL_WORDS);
  const directions = useWords(DIRECTIONS);
  return useCallback(
    ({ kind, changes }) => {
      if (kind !== "view") return changes;
      const labelOf = (name: string) => fields.get(name)?.label ?? name;
      const told = (saved: unknown): Readonly<Record<string, unknown>> => {
        const { filter, search, sort = [], fields: columns = [], timezone } = (saved ?? {}) as ViewQuery;
        const { join, parts } = readFilter(filter);
        const phrases = parts.map(phrase);
        return {
          filter: join === "or" && phrases.length > 1 ? [phrases.join(` ${words.or} `)] : phrases,
          search,
          sort: sort.map(({ field, dir = "asc" }) => `${labelOf(field)}, ${directions[dir]}`),
          columns: columns.map(labelOf),
          timezone,
        };
      };
      return changes.flatMap((change) => {
        if (change.field !== "query") return change;
        const [from, to] = [told(change.from), told(change.to)];
        return Object.keys(to).map((field) => ({ field, from: from[field] ?? null, to: to[field] ?? null }));
      });
    },
    [fields, phrase, words, directions],
  );
}
