import type { ClientMetadata } from "../../contract/oauth/client.ts";
import { newId } from "../../core/id.ts";
import { applicationOperation } from "../operation/callers.ts";
import { readClientMetadata } from "./client-metadata.ts";
import { checkHit, HIT, type HitOutcome, hitOf, OUTCOME, orCounted } from "./registration-limit.ts";

const REGISTER = `WITH ${HIT},
  registered AS (
    INSERT INTO client (id, metadata) SELECT $3, $4::jsonb FROM taken RETURNING id, metadata, created_at
  ),
  told AS (
    INSERT INTO audit (action, project_id, actor, data, address, request_id)
    SELECT 'client.registered', '', id,
      jsonb_build_object('client_id', id, 'client_name', metadata ->> 'client_name'), $5, $6
    FROM registered
  )
  SELECT ${OUTCOME},
    (SELECT floor(extract(epoch FROM created_at))::float8 FROM registered) AS issued`;

/**
 * Registers an application (RFC 7591 3) and counts the call; `issuedAt` is in whole seconds. Refuses with the
 * standard's two codes or `too_many_requests`; a call with bad metadata counts too.
 */
export const registerClient = applicationOperation({
  name: "clients.register",
  async run(
    { service, db },
    input: { body: unknown; address: string },
  ): Promise<{ clientId: string; issuedAt: number; metadata: ClientMetadata }> {
    const metadata = await orCounted(service, input.address, () => readClientMetadata(input.body));
    const clientId = newId("app");
    const hit = hitOf(service, input.address);
    const from = [service.origin?.address ?? null, service.origin?.requestId ?? null];
    const [outcome] = await db.together<HitOutcome & { issued: number }>([
      { text: REGISTER, values: [...hit, clientId, JSON.stringify(metadata), ...from] },
    ]);
    checkHit(service, hit, outcome);
    return { clientId, issuedAt: outcome?.issued ?? 0, metadata };
  },
});
