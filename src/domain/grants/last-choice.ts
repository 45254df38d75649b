import type { Writes } from "../../core/permission.ts";
import { personOperation } from "../operation/callers.ts";

/** What a person chose when this application last requested access. */
interface LastChoice {
  projectId: string;
  declined: string[];
  writes: Writes;
  /** Whether they ever approved the application; otherwise, they only created a project for its request. */
  approved: boolean;
}

/** The last choice. It is pre-selected on the page, which is still shown. */
export const readLastChoice = personOperation({
  name: "grants.read_last_choice",
  async run({ db, caller }, { clientId }: { clientId: string }): Promise<LastChoice | undefined> {
    const rows = await db.query<LastChoice>(
      `SELECT project_id AS "projectId", declined, writes, isfinite(chosen_at) AS approved FROM consent_choice WHERE person_id = $1 AND client_id = $2`,
      [caller.person.id, clientId],
    );
    return rows[0];
  },
});

/** Remembers a project for the application's next request; this grants nothing. */
export const chooseNext = personOperation({
  name: "grants.choose_next",
  async run({ db, caller }, next: { clientId: string; projectId: string }) {
    await db.query(
      `INSERT INTO consent_choice (person_id, client_id, project_id, declined, chosen_at)
     SELECT $1, id, $3, '{}', '-infinity' FROM client WHERE id = $2 FOR NO KEY UPDATE
     ON CONFLICT (person_id, client_id) DO UPDATE SET project_id = excluded.project_id`,
      [caller.person.id, next.clientId, next.projectId],
    );
  },
});
