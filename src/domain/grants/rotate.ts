import type { Scope } from "../../core/permission.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { REPEATED, record } from "../operation/audit/record.ts";
import { originOf } from "../operation/limits/origin-address.ts";
import type { Service } from "../operation/service/service.ts";
import type { newAccessToken, newRefreshToken, RefreshAddress } from "./token-text.ts";

// Of all concurrent requests with one refresh token, one gets the row. OFFSET 0 forces the lookup by key, even if
// statistics of new tables are missing. The last 20 addresses are remembered; if more than five are new within a day,
// as with a hosted assistant, the others of that day share one audit entry. On a cluster, moment() may be in no CASE and in no
// RETURNING, and a slice that is the whole value of a column crashes Citus 13.2.
const UPDATE = `UPDATE "authorization" a SET generation = generation + 1, refresh_hash = $6, refresh_issued_at = moment(),
    refresh_expires_at = moment() + make_interval(secs => $7), last_used_at = moment(),
    origins = CASE WHEN $9 = ANY(origins) THEN origins ELSE (origins || $9::text)[cardinality(origins) - 18:] END,
    origins_at = trim_array((origins_at || moment())[CASE WHEN $9 = ANY(origins) THEN 1 ELSE cardinality(origins) - 18 END:],
      CASE WHEN $9 = ANY(origins) THEN 1 ELSE 0 END),
    signed_by = $10
  WHERE project_id = $1 AND id = $2 AND generation = $3 AND refresh_hash = $4 AND client_id = $5
    AND refresh_expires_at > moment() AND revoked_at IS NULL AND coalesce($8::text[], scopes) <@ scopes
    AND EXISTS (SELECT FROM membership m
      WHERE m.person_id = a.person_id AND m.project_id = $1 AND m.created_at <= a.created_at OFFSET 0)
    AND EXISTS (SELECT FROM client WHERE id = $5)
  RETURNING id, person_id, client_name, coalesce($8::text[], scopes) AS scopes,
    cardinality(origins) > 1 AND origins_at[cardinality(origins)] = refresh_issued_at AS elsewhere,
    refresh_issued_at - origins_at[cardinality(origins) - 5] < interval '1 day' AS often, refresh_issued_at AS at`;

/** The whole rotation as one statement. */
export const ROTATE = `WITH rotated AS (${UPDATE}
  ), issued AS (
    INSERT INTO access_token (project_id, hash, authorization_id, scopes, expires_at)
    SELECT $1, $11::bytea, id, scopes, moment() + make_interval(secs => $12) FROM rotated
  ), told AS (
    INSERT INTO audit (action, project_id, person_id, actor, data, address, request_id, counted_as)
    SELECT 'refresh.new_address', $1, person_id, $5,
      jsonb_build_object('authorization_id', id, 'client_name', client_name), $13, $14,
      CASE WHEN often THEN 'refresh.new_address ' || id || ' ' || (at AT TIME ZONE 'UTC')::date END
    FROM rotated WHERE elsewhere ${REPEATED}
  )
  SELECT scopes FROM rotated`;

const ISSUE = `INSERT INTO access_token (project_id, hash, authorization_id, scopes, expires_at)
  VALUES ($1, $2, $3, $4, moment() + make_interval(secs => $5))`;

interface Rotated {
  id: string;
  person_id: string;
  client_name: string;
  scopes: Scope[];
  /** Whether the address is new. */
  elsewhere: boolean;
  /** Whether more than five were new within a day. */
  often: boolean | null;
  at: Date;
}

/** A rotation by an application: the token that it showed, and what it gets instead. */
export interface Rotation {
  shown: RefreshAddress;
  clientId: string;
  /** Those of the access token; undefined if they stay the same. */
  scopes: readonly Scope[] | undefined;
  next: ReturnType<typeof newRefreshToken>;
  access: ReturnType<typeof newAccessToken>;
}

/** Rotates a current token of this application and returns the scopes of its access token; undefined for all others. */
export async function rotate(
  service: Service,
  { shown, clientId, scopes, next, access }: Rotation,
): Promise<Scope[] | undefined> {
  const { projectId, authorizationId, generation, hash } = shown;
  const { lifetimes } = service.config;
  const { address, requestId } = service.origin ?? {};
  const db = service.db.behind(serviceDoor(projectId));
  const values = [
    ...[projectId, authorizationId, generation, hash, clientId, next.hash, lifetimes.refresh],
    ...[scopes ?? null, originOf(address ?? ""), next.signedBy],
  ];
  if (!service.db.isDistributed) {
    const rows = await db.query<{ scopes: Scope[] }>(
      ROTATE,
      [...values, access.hash, lifetimes.access, address ?? null, requestId ?? null],
      { prepare: true, short: "write" },
    );
    return rows[0]?.scopes;
  }
  // Citus runs each part of ROTATE as a statement of its own and carries rows between them, at twice the cost.
  const steps = async (tx: Transaction, [rows = []]: unknown[][]) => {
    const [rotated] = rows as Rotated[];
    if (rotated === undefined) return undefined;
    const { id, person_id: personId, client_name, elsewhere, often, at } = rotated;
    const issued = [projectId, access.hash, id, rotated.scopes, lifetimes.access];
    await tx.query(ISSUE, issued, { prepare: true });
    const entry = { action: "refresh.new_address", projectId, personId, actor: clientId };
    const data = { authorization_id: id, client_name };
    const once = `${entry.action} ${id} ${at.toISOString().slice(0, 10)}`;
    if (elsewhere) await record(service, tx, { ...entry, data, ...(often === true && { once }) });
    return rotated.scopes;
  };
  return await db.transaction(steps, "keyed", [{ text: UPDATE, values }]);
}
