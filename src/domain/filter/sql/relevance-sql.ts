import { displayNameSql } from "../../fields/lead-field.ts";
import { bad } from "../../values/bad-input.ts";
import { foldedValue, patternOf } from "./folded-value.ts";
import type { PageSource } from "./page-sql.ts";
import type { SortKey, SortOrder } from "./sort-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

/** So many matches, the newest, are ranked. */
const RANKED = 1_000;

/** Whether leads are to come in the order of how well their names fit a search. Refuses (400) that order where it has no meaning. */
export function isByRelevance(
  sort: readonly SortOrder[] | undefined,
  words: readonly string[] | undefined,
): boolean {
  const at = sort?.findIndex(({ field }) => field === "relevance") ?? -1;
  if (sort === undefined || at === -1) return false;
  const [{ dir, nulls } = {}] = sort;
  if (sort.length > 1 || dir !== undefined || nulls !== undefined || (words ?? []).length === 0)
    bad(
      `$.sort[${at}].field`,
      "not_sortable",
      "relevance is allowed only alone, without dir and nulls, and with search",
    );
  return true;
}

/**
 * The matches that are ranked, and their order: the display name is the search, starts with it, has its words at the start of
 * words. Of mistyped words, the most similar display name is first.
 */
export function relevanceOf(
  { words, similar }: { words: readonly string[]; similar: boolean },
  where: string,
  scope: StatementScope,
): { source: PageSource; where: string; keys: SortKey[] } {
  const { parameters, project } = scope;
  const name = `fold(${displayNameSql()})`;
  const whole = words.join(" ");
  const searched = foldedValue(whole, "fold", parameters);
  const starts = () =>
    words.map((word) => `' ' || ${name} LIKE ${patternOf(` ${word}`, "part", parameters)}`).join(" AND ");
  const rank = similar
    ? `1 - coalesce(word_similarity(${searched}, ${name}), 0)`
    : `CASE WHEN ${name} = ${searched} THEN 0
    WHEN ${name} LIKE ${patternOf(whole, "start", parameters)} THEN 1 WHEN ${starts()} THEN 2 ELSE 3 END`;
  return {
    source: {
      from: `(SELECT * FROM lead WHERE ${where} ORDER BY created_at DESC, id LIMIT ${RANKED}) AS lead`,
      table: "lead",
      own: `project_id = ${project}`,
      all: where,
    },
    where: "true",
    keys: [
      { sql: rank, type: "float8", descending: false, nulls: undefined },
      { sql: "created_at", type: "timestamptz", descending: true, nulls: undefined },
    ],
  };
}
