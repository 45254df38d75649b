import type { Match } from "../../contract/lists/datasets.ts";
import { PROJECT } from "../sql/parameters.ts";

/** How rows link to leads: the column's key, and which of the two link columns of a row holds its identity. */
export interface Link {
  column: string;
  match: Match;
  side: 0 | 1;
  /** The column's slot in a row's cells. */
  slot: string;
  /** Whether the rows are data of the linked people; left out in links from before this was asked, it is true. */
  personal?: boolean;
}

/** The identity of a lead in SQL, written exactly as in the indexes over identities. */
const IDENTITY: Readonly<Record<Match, (lead: string) => string>> = {
  email: (lead) => `lower(${lead}.email)`,
  phone: (lead) => `${lead}.phone_e164`,
  external_id: (lead) => `${lead}.external_id`,
  lead_id: (lead) => `${lead}.id`,
};

/**
 * The condition that the row `r` links to this lead. Lead ids have another collation than links; with both
 * conditions either index can serve.
 */
export function linkSql({ match, side }: Link, lead: string): string {
  const same = `r.link${side} = ${IDENTITY[match](lead)}`;
  return match === "lead_id" ? `${same} AND ${same} COLLATE "default"` : same;
}

/** The condition that the row `r` links to a lead or to any lead merged into it. */
export const anyLinkSql = ({ match, side }: Link, lead: string): string =>
  `r.link${side} = ANY (ARRAY(WITH RECURSIVE part (id) AS (
      SELECT ${lead}.id UNION SELECT m.id FROM lead m JOIN part ON m.merged_into_id = part.id
      WHERE m.project_id = ${PROJECT} AND m.deleted_at IS NULL)
    SELECT ${IDENTITY[match]("m")} COLLATE "default" FROM part JOIN lead m ON m.project_id = ${PROJECT} AND m.id = part.id))`;

/** The surviving leads of the merged leads that rows of these conditions link to, computed once for all leads. */
export const survivorsSql = (link: Link, project: string, conditions: string): string =>
  `ARRAY(SELECT survivor(${project}, m.id) FROM lead m JOIN dataset_row r ON ${linkSql(link, "m")}
    WHERE m.project_id = ${project} AND m.merged_into_id IS NOT NULL AND m.deleted_at IS NULL AND ${conditions})`;

/** The first lead, not deleted, that the row `r` links to, or the survivor of a merged one; NULL if there is none. */
export const leadIdSql = (link: Link | null): string =>
  link === null
    ? "NULL::text"
    : `(SELECT min(CASE WHEN l.merged_into_id IS NULL THEN l.id ELSE survivor(l.project_id, l.id) END) FROM lead l
        WHERE l.project_id = ${PROJECT} AND ${linkSql(link, "l")} AND l.deleted_at IS NULL)`;

/** The longest link that fits an index entry; no identity of a lead is longer. */
const LONGEST = 500;

/** The part of a cell's value that is stored as the link. The database lower-cases e-mail addresses. */
export function linkValue(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value);
  return text.length > LONGEST ? null : text;
}
