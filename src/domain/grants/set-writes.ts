import { WRITES, type Writes } from "../../core/permission.ts";
import { notFound, Refusal } from "../../core/refusal.ts";
import { serviceDoor } from "../../db/pool/project-door.ts";
import { holdSession } from "../accounts/sessions/hold-session.ts";
import { record } from "../operation/audit/record.ts";
import { personOperation } from "../operation/callers.ts";

const SET = `UPDATE "authorization" a SET writes = $4 FROM "authorization" old
  WHERE a.project_id = $1 AND a.id = $2 AND a.person_id = $3 AND a.revoked_why IS NULL
    AND old.project_id = $1 AND old.id = a.id
    AND EXISTS (SELECT FROM membership m
      WHERE m.project_id = $1 AND m.person_id = $3 AND m.created_at <= a.created_at)
  RETURNING old.writes AS former, a.client_id AS "clientId", a.client_name AS "clientName"`;

/** Decides whether an application that the person connected changes things itself, or asks first; from its next call on. */
export const setWrites = personOperation({
  name: "grants.set_writes",
  async run(
    { service, db, caller },
    { projectId, authorizationId, writes }: { projectId: string; authorizationId: string; writes: string },
  ): Promise<void> {
    if (!isWrites(writes))
      throw new Refusal("malformed", "no_decision", "The form was sent without a decision.");
    const personId = caller.person.id;
    const done = await db.behind(serviceDoor(projectId)).transaction(async (tx) => {
      await holdSession(tx, caller);
      const [row] = await tx.query<{ former: Writes; clientId: string; clientName: string }>(SET, [
        ...[projectId, authorizationId, personId, writes],
      ]);
      if (row === undefined || row.former === writes) return row;
      const { former, clientId, clientName } = row;
      const data = { authorization_id: authorizationId, client_id: clientId, client_name: clientName };
      await record(service, tx, {
        ...{ action: "authorization.changed", projectId, personId, actor: personId },
        data: { ...data, writes, former },
      });
      return row;
    });
    if (done === undefined) throw notFound("authorization");
  },
});

const isWrites = (text: string): text is Writes => (WRITES as readonly string[]).includes(text);
