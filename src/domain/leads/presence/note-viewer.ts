import { Type } from "typebox";
import { notFound } from "../../../core/refusal.ts";
import { memberOperation } from "../../operation/operation.ts";
import { NOT_DELETED } from "../../sql/not-deleted.ts";
import { PRESENT_FOR } from "../../tenancy/live-presence.ts";

/** Rows of others that expired are removed along the way; those that another call is removing are left to it. */
const NOTE = `WITH old AS (
    SELECT lead_id, person_id, viewer FROM presence
    WHERE project_id = $1 AND seen_at <= moment() - $5::interval AND NOT (person_id = $3 AND viewer = $4)
    ORDER BY lead_id, person_id, viewer LIMIT 100 FOR UPDATE SKIP LOCKED
  ), expired AS (
    DELETE FROM presence p USING old WHERE p.project_id = $1
      AND p.lead_id = old.lead_id AND p.person_id = old.person_id AND p.viewer = old.viewer
  ), own AS (
    SELECT id FROM lead WHERE project_id = $1 AND id = $2 AND ${NOT_DELETED} FOR KEY SHARE
  )
  INSERT INTO presence (project_id, lead_id, person_id, viewer, seen_at) SELECT $1, id, $3, $4, moment() FROM own
  ON CONFLICT (project_id, lead_id, person_id, viewer) DO UPDATE SET seen_at = excluded.seen_at`;

const LEAVE = `DELETE FROM presence WHERE project_id = $1 AND lead_id = $2 AND person_id = $3 AND viewer = $4`;

const Viewing = Type.Object(
  {
    lead_id: Type.String({ maxLength: 100 }),
    /** Names one opening of the lead in a tab, at random. */
    viewer: Type.String({ minLength: 1, maxLength: 64 }),
    is_open: Type.Boolean(),
  },
  { additionalProperties: false },
);

/**
 * Notes that a signed-in person has a lead open, for a minute, or that they closed it. Colleagues see it in the panel. A
 * lead that is gone is nobody's.
 */
export const noteViewer = memberOperation({
  name: "presence.note",
  needs: "leads:read",
  lane: "keyed",
  input: Viewing,
  async run({ db, caller }, { lead_id, viewer, is_open }): Promise<void> {
    if (caller.kind !== "person") throw notFound("URL");
    const values = [caller.projectId, lead_id, caller.personId, viewer];
    if (is_open) await db.query(NOTE, [...values, PRESENT_FOR], { short: "write" });
    else await db.query(LEAVE, values, { short: "write" });
  },
});
