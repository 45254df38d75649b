import type { InfiniteData } from "@tanstack/react-query";
import type { ListedLead } from "../../records/listed-lead.ts";
import type { LeadPage } from "./use-lead-pages.ts";

export type LeadPages = InfiniteData<LeadPage, string | null>;

/** The pages with leads in newer versions, and without some of them. */
export const withLeads = (
  data: LeadPages,
  newer: ReadonlyMap<string, ListedLead>,
  gone: ReadonlySet<string>,
): LeadPages => ({
  ...data,
  pages: data.pages.map((page) => {
    if (!page.leads.some(({ id }) => newer.has(id) || gone.has(id))) return page;
    const leads = page.leads
      .filter(({ id }) => !gone.has(id))
      .map((lead) => newerOf(lead, newer.get(lead.id)));
    return { ...page, leads };
  }),
});

const newerOf = (lead: ListedLead, other: ListedLead | undefined): ListedLead =>
  other !== undefined && other.version >= lead.version ? other : lead;

/**
 * A page as it was read again, with room for leads that are new in it. Undefined if its last lead is not among them: then
 * the pages do not join any more.
 */
export function pageAgain(
  old: LeadPage,
  leads: readonly ListedLead[],
  next_cursor: string | null,
): LeadPage | undefined {
  if (old.next_cursor === null) return { ...old, leads: [...leads], next_cursor };
  const last = leads.findIndex(({ id }) => id === old.leads.at(-1)?.id);
  return last < 0 ? undefined : { ...old, leads: leads.slice(0, last + 1) };
}

/** The indexes of the pages that have rows of a range. */
export function pagesOf({ pages }: LeadPages, [first, last]: readonly [number, number]): number[] {
  let end = 0;
  return pages.flatMap(({ leads }, i) => {
    const start = end;
    end += leads.length;
    return start <= last && (end > first || i === pages.length - 1) ? [i] : [];
  });
}
