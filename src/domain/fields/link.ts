/** By what a row's cell means leads. */
export const MATCHES = ["email", "phone", "external_id", "lead_id"] as const;
export type Match = (typeof MATCHES)[number];

/** How rows mean leads: the key of the column, and which of the row's two link columns holds its identity. */
export interface Link {
  column: string;
  match: Match;
  side: 0 | 1;
  /** Where the column's values stand in a row's cells. */
  slot: string;
}

/** What a lead is met by, as SQL; the indexes over identities have the same words. */
const IDENTITY: Readonly<Record<Match, (lead: string) => string>> = {
  email: (lead) => `lower(${lead}.email)`,
  phone: (lead) => `${lead}.phone_e164`,
  external_id: (lead) => `${lead}.external_id`,
  lead_id: (lead) => `${lead}.id`,
};

/**
 * That the row `r` means this lead. Ids of leads are of another collation than links: said twice, either index serves.
 */
export function linkSql({ match, side }: Link, lead: string): string {
  const same = `r.link${side} = ${IDENTITY[match](lead)}`;
  return match === "lead_id" ? `${same} AND ${same} COLLATE "default"` : same;
}

/** The identities of a lead and of all that were merged into it, as an array that the row `r`'s link is looked up in. */
export const anyLinkSql = ({ match, side }: Link, lead: string): string =>
  `r.link${side} = ANY (ARRAY(WITH RECURSIVE part (id) AS (
      SELECT ${lead}.id UNION SELECT m.id FROM lead m JOIN part ON m.merged_into_id = part.id
      WHERE m.project_id = ${lead}.project_id AND m.deleted_at IS NULL)
    SELECT ${IDENTITY[match]("m")} COLLATE "default" FROM part JOIN lead m ON m.project_id = ${lead}.project_id AND m.id = part.id))`;

/** The living leads into which those were merged that rows of these conditions mean; asked once for all leads. */
export const survivorsSql = (link: Link, project: string, conditions: string): string =>
  `ARRAY(SELECT survivor(${project}, m.id) FROM lead m JOIN dataset_row r ON ${linkSql(link, "m")}
    WHERE m.project_id = ${project} AND m.merged_into_id IS NOT NULL AND m.deleted_at IS NULL AND ${conditions})`;

/** The first of the living leads that the row `r` means, or into which one was merged that it means; NULL for none. */
export const leadIdSql = (link: Link | null): string =>
  link === null
    ? "NULL::text"
    : `(SELECT min(CASE WHEN l.merged_into_id IS NULL THEN l.id ELSE survivor(l.project_id, l.id) END) FROM lead l
        WHERE l.project_id = r.project_id AND ${linkSql(link, "l")} AND l.deleted_at IS NULL)`;

/** A link no longer than an index entry may be; leads have no longer identities either. */
const LONGEST = 500;

/** What of a cell's value is kept as the link; the database makes e-mails small. */
export function linkValue(value: unknown): string | null {
  if (typeof value !== "string" && typeof value !== "number") return null;
  const text = String(value);
  return text.length > LONGEST ? null : text;
}
