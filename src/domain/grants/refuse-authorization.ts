import type { Client } from "../clients/client.ts";
import { record } from "../operation/audit/record.ts";
import type { Service } from "../operation/service/service.ts";

/** Notes that a person refused an application; nothing else changes. */
export async function refuseAuthorization(service: Service, personId: string, client: Client): Promise<void> {
  await record(service, service.db, {
    action: "authorization.refused",
    personId,
    actor: personId,
    data: { client_id: client.id, client_name: client.metadata.client_name },
  });
}
