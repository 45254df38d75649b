import type { Client } from "../clients/client.ts";
import { record } from "../operation/audit/record.ts";
import { personOperation } from "../operation/callers.ts";

/** Records that a person refused an application; nothing else changes. */
export const refuseAuthorization = personOperation({
  name: "grants.refuse",
  async run({ service, db, caller }, { client }: { client: Client }) {
    const personId = caller.person.id;
    await record(service, db, {
      action: "authorization.refused",
      personId,
      actor: personId,
      data: { client_id: client.id, client_name: client.metadata.client_name },
    });
  },
});
