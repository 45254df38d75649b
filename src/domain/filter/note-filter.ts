import type { ProjectSchema } from "../fields/project-schema.ts";
import type { MemberContext } from "../operation/operation.ts";
import { readFilter } from "./read/read-filter.ts";
import { searchWords } from "./read/search-words.ts";
import { sentenceOf } from "./sentence/sentence.ts";
import type { LeadSelection } from "./sql/lead-conditions.ts";
import type { Filter } from "./tree/filter.ts";

/** Notes what a request or a job selects, for the slow log; the sentence is made only if it is slow. */
export function noteFilter(
  { service }: Pick<MemberContext, "service">,
  { filter, search = "" }: LeadSelection,
  schema: ProjectSchema,
): void {
  noteRead(service, () => (filter === undefined ? undefined : readFilter(filter, schema)), search, schema);
}

/** The same for a filter that was read, or is when the sentence is made. */
export function noteRead(
  { account }: MemberContext["service"],
  read: () => Filter | undefined,
  search: string,
  schema: ProjectSchema,
): void {
  account?.selects((withValues) => {
    try {
      const filter = read();
      const words = searchWords(search);
      const of: Filter[] = [
        ...(filter === undefined ? [] : [filter]),
        ...(words.length === 0 ? [] : [{ kind: "words" as const, words }]),
      ];
      return sentenceOf({ kind: "and", of }, schema, "en", withValues);
    } catch {
      return undefined; // it was refused, or its project has changed meanwhile
    }
  });
}
