import type { Service } from "../service.ts";

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
