import { useFields } from "../../api/queries.ts";
import { useProject } from "../../session/me.ts";
import { hasColumn } from "../list/list-fields.ts";
import type { LeadPage } from "../list/use-lead-pages.ts";
import { CANDIDATES, ENOUGH, USUAL, usualColumns } from "./usual-columns.ts";

/** By project: found once, so that no column comes or goes while the person works. */
const found = new Map<string, readonly string[]>();

/** Whether the columns that suit a project are still to be found, for which a page needs their candidates. */
export const areUsualUnknown = (projectId: string): boolean => !found.has(projectId);

/** The columns that suit the project's leads, by the first page of all of them; undefined for another page. */
export function useUsualColumns(page: LeadPage | undefined): readonly string[] {
  const { id } = useProject();
  const { data } = useFields();
  const known = found.get(id);
  if (known !== undefined) return known;
  if (page === undefined || page.leads.length < ENOUGH || data === undefined) return USUAL;
  if (!page.leads.every((lead) => CANDIDATES.every((column) => hasColumn(lead, column)))) return USUAL;
  const columns = usualColumns(
    page.leads,
    data.fields.map(({ name }) => name),
  );
  found.set(id, columns);
  return columns;
}
