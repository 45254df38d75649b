import { hashOf } from "../../../core/secret.ts";
import { record } from "../../operation/audit/record.ts";
import type { Service } from "../../operation/service/service.ts";

/** Which of a person's sessions: one by its id, all but the one of this token, or all. */
export type WhichSessions = { id: string } | { allBut: string } | "all";

/** Signs a person out elsewhere, from the next request on; what is over already is no error. */
export async function endSessions(service: Service, personId: string, which: WhichSessions): Promise<void> {
  const id = which !== "all" && "id" in which ? which.id : null;
  const kept = which !== "all" && "allBut" in which ? hashOf(which.allBut) : null;
  await service.db.transaction(async (tx) => {
    const ended = await tx.query(
      `DELETE FROM session WHERE person_id = $1
         AND ($2::text IS NULL OR id = $2) AND ($3::bytea IS NULL OR hash <> $3) RETURNING id`,
      [personId, id, kept],
    );
    if (ended.length === 0) return;
    const data = { sessions: ended.length };
    await record(service, tx, { action: "person.sessions_ended", personId, actor: personId, data });
  });
}
