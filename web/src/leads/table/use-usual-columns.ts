import { useFields } from "../../api/queries.ts";
import { useProject } from "../../session/me.ts";
import type { LeadPage } from "../list/use-lead-pages.ts";
import { ENOUGH, USUAL, usualColumns } from "./usual-columns.ts";

/** By project: found once, so that no column comes or goes while the person works. */
const found = new Map<string, readonly string[]>();

/** The columns that suit the project's leads, by the first page of all of them; undefined for another page. */
export function useUsualColumns(page: LeadPage | undefined): readonly string[] {
  const { id } = useProject();
  const { data } = useFields();
  const known = found.get(id);
  if (known !== undefined) return known;
  if (page === undefined || page.leads.length < ENOUGH || data === undefined) return USUAL;
  const columns = usualColumns(
    page.leads,
    data.fields.map(({ name }) => name),
  );
  found.set(id, columns);
  return columns;
}
