import { IDENTITY_NAMES, type IdentityName } from "../../../contract/lists/identities.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Row, Statement } from "../../../db/wire/statement-batch.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import type { Version } from "../../values/version.ts";
import { IDENTITY_SQL, identitiesOf } from "./identity.ts";

/** What a caller expects: a lead with one of these versions, or with any (`*`), or no lead. */
export interface Expected {
  if_version?: Version | "*" | undefined;
  if_absent?: boolean | undefined;
}

/** A lead to find or create; `matchOn` lists the identities to try, most reliable first. */
export interface Upsert {
  place: number;
  patch: LeadPatch;
  matchOn: readonly IdentityName[];
  expected?: Expected;
}

interface Candidate {
  place: number;
  by: IdentityName;
  id: string;
  external_id: string | null;
  version: number;
  /** Whether the identity belongs to a lead that was merged into this one. */
  merged: boolean;
}

/** The leads found, and by which identity. */
export interface Match {
  by: IdentityName;
  ids: string[];
  /** The version of the only lead, unless it was merged. */
  version?: number | undefined;
  merged: boolean;
}

/** OFFSET 0: without it, the limit makes the planner scan all leads by id, hoping to meet matches soon. */
const part = (by: IdentityName): string => `(SELECT '${by}' AS by,
  CASE WHEN merged_into_id IS NULL THEN id ELSE survivor($1, id) END AS id, external_id, version, merged_into_id IS NOT NULL AS merged
  FROM (SELECT id, external_id, version, merged_into_id FROM lead
  WHERE project_id = $1 AND ${IDENTITY_SQL[by](`g.${by}`)} AND deleted_at IS NULL
  OFFSET 0) AS known ORDER BY merged_into_id IS NOT NULL, id LIMIT 20)`;

const FIND = `SELECT g.place, found.by, found.id, found.external_id, found.version, found.merged
  FROM jsonb_to_recordset($2::jsonb) AS g (place integer, external_id text, email text, phone text), LATERAL (
    ${IDENTITY_NAMES.map(part).join(" UNION ALL ")}
  ) AS found WHERE found.id IS NOT NULL ORDER BY g.place, found.id`;

/**
 * Finds the leads that each upsert may refer to, by place; there may be several candidates. A surviving lead keeps
 * the identities of merged leads; `merged` says that one of those matched.
 */
export async function findCandidates(
  tx: Transaction,
  projectId: string,
  upserts: readonly Upsert[],
): Promise<Map<number, Match>> {
  const { text, values } = candidates(projectId, upserts);
  return matchesOf(upserts, await tx.query(text, values, { prepare: true }));
}

/** The statement that finds the candidates. One that locks their identities must be sent before it. */
export const candidates = (projectId: string, upserts: readonly Upsert[]): Statement => ({
  text: FIND,
  values: [projectId, JSON.stringify(upserts.map(({ place, patch }) => ({ place, ...identitiesOf(patch) })))],
});

/** The matches among the rows of that statement. */
export function matchesOf(upserts: readonly Upsert[], rows: readonly Row[]): Map<number, Match> {
  const byPlace = Map.groupBy(rows as unknown as Candidate[], ({ place }) => place);
  const found = new Map<number, Match>();
  for (const upsert of upserts) {
    const match = surest(upsert, byPlace.get(upsert.place) ?? []);
    if (match !== undefined) found.set(upsert.place, match);
  }
  return found;
}

/** Takes the first identity with a match; a lead with another external id is a different person. */
function surest({ patch, matchOn }: Upsert, candidates: readonly Candidate[]): Match | undefined {
  const external = matchOn.includes("external_id") ? patch.external_id : undefined;
  for (const by of matchOn) {
    const fitting = candidates
      .filter((each) => each.by === by)
      .filter((each) => typeof external !== "string" || [null, external].includes(each.external_id));
    const own = fitting.filter(({ merged }) => !merged);
    const ids = new Set((own.length > 0 ? own : fitting).map(({ id }) => id));
    const [only, ...more] = own;
    const version = more.length === 0 ? only?.version : undefined;
    if (ids.size > 0) return { by, ids: [...ids], version, merged: own.length === 0 };
  }
  return undefined;
}
