import { hashOf } from "../../../core/secret.ts";
import { record } from "../../operation/audit/record.ts";
import { personOperation } from "../../operation/callers.ts";

/** Which of a person's sessions: all, all but the current one, or one by its id. */
type WhichSessions = "all" | "others" | { id: string };

/**
 * Signs a person out of these sessions, from the next request on. A session that has already ended is not an error.
 */
export const endSessions = personOperation({
  name: "sessions.end",
  async run({ service, db, caller }, { which }: { which: WhichSessions }) {
    const personId = caller.person.id;
    const id = typeof which === "string" ? null : which.id;
    const kept = which === "others" ? hashOf(caller.session) : null;
    await db.transaction(async (tx) => {
      const ended = await tx.query(
        `DELETE FROM session WHERE person_id = $1
         AND ($2::text IS NULL OR id = $2) AND ($3::bytea IS NULL OR hash <> $3) RETURNING id`,
        [personId, id, kept],
      );
      if (ended.length === 0) return;
      const data = { sessions: ended.length };
      await record(service, tx, { action: "person.sessions_ended", personId, actor: personId, data });
    });
  },
});
