import type { Service } from "../operation/service/service.ts";

/** What a person chose when this application asked last: to be pre-selected, never to be skipped. */
export async function lastChoice(
  service: Service,
  personId: string,
  clientId: string,
): Promise<{ projectId: string; declined: string[] } | undefined> {
  const rows = await service.db.query<{ projectId: string; declined: string[] }>(
    `SELECT project_id AS "projectId", declined FROM consent_choice WHERE person_id = $1 AND client_id = $2`,
    [personId, clientId],
  );
  return rows[0];
}

/** Chooses a project for the next time that an application asks; nothing is granted by it. */
export async function chooseNext(
  service: Service,
  next: { personId: string; clientId: string; projectId: string },
): Promise<void> {
  await service.db.query(
    `INSERT INTO consent_choice (person_id, client_id, project_id, declined, chosen_at)
     VALUES ($1, $2, $3, '{}', '-infinity')
     ON CONFLICT (person_id, client_id) DO UPDATE SET project_id = excluded.project_id`,
    [next.personId, next.clientId, next.projectId],
  );
}
