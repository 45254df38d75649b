import type { Queryable } from "../../db/pool/database.ts";
import { e164Of } from "../values/read-phone.ts";
import type { Subject } from "./subject.ts";

const KINDS: Readonly<Record<string, "emails" | "phones" | "externals">> = {
  ...({ email: "emails", emails: "emails", external_id: "externals" } as const),
  ...({ phone: "phones", phones: "phones", phone_e164: "phones" } as const),
};

const FIELDS = `'${Object.keys(KINDS).join("', '")}'`;

/**
 * What the leads' own history, merges and imports know of their identities. A merge that was undone, and its events,
 * may tell of another lead, whose identities are not the person's.
 */
const FORMER = `SELECT data ->> 'field' AS field, jsonb_build_array(data -> 'from', data -> 'to') AS told FROM event
    WHERE project_id = $1 AND lead_id = ANY ($2::text[]) AND type = 'lead.updated' AND data ->> 'field' IN (${FIELDS})
      AND (lead_id, tx, recorded_at) NOT IN (SELECT lead_id, tx, recorded_at FROM event
        WHERE project_id = $1 AND lead_id = ANY ($2::text[]) AND type IN ('lead.merged', 'lead.unmerged'))
  UNION ALL SELECT key, jsonb_build_array(value -> 'from', value -> 'to') FROM merge, jsonb_each(changes)
    WHERE project_id = $1 AND winner_id = ANY ($2::text[]) AND undone_at IS NULL AND key IN (${FIELDS})
  UNION ALL SELECT key, jsonb_build_array(value) FROM change_item, LATERAL (
      SELECT * FROM jsonb_each(before) UNION ALL SELECT * FROM jsonb_each(after)) AS each
    WHERE project_id = $1 AND record_id = ANY ($2::text[]) AND kind IN ('lead', 'hidden') AND key IN (${FIELDS})
  UNION ALL SELECT 'external_id', jsonb_build_array(each.value) FROM lead, jsonb_each(custom) AS each
    WHERE project_id = $1 AND id = ANY ($2::text[]) AND each.key ~ '^former_external_id(_\\d+)?$'`;

/** Returns the identities that the subject's leads once had and do not have now. */
export async function formerIdentities(
  db: Pick<Queryable, "query">,
  projectId: string,
  { leads, country, ...now }: Subject,
): Promise<Pick<Subject, "emails" | "phones" | "externals">> {
  const former = { emails: new Set<string>(), phones: new Set<string>(), externals: new Set<string>() };
  const read = {
    emails: (text: string) => text.toLowerCase(),
    phones: (text: string) => e164Of(text, country),
    externals: (text: string) => text,
  };
  for (const { field, told } of await db.query<{ field: string; told: unknown[] }>(FORMER, [
    projectId,
    leads,
  ])) {
    const kind = KINDS[field];
    if (kind === undefined) continue;
    for (const text of told.flat()) {
      const identity = typeof text === "string" && text !== "" ? read[kind](text) : null;
      if (identity !== null && !now[kind].includes(identity)) former[kind].add(identity);
    }
  }
  const sorted = (all: ReadonlySet<string>) => [...all].sort();
  return {
    ...{ emails: sorted(former.emails), phones: sorted(former.phones) },
    externals: sorted(former.externals),
  };
}
