import { newId } from "../../core/id.ts";
import { record } from "../audit/record.ts";
import type { Service } from "../service.ts";
import type { ClientMetadata } from "./client.ts";
import { readClientMetadata } from "./client-metadata.ts";

/** Registers an application (RFC 7591 3); `issuedAt` in whole seconds. Refuses with the standard's two codes. */
export async function registerClient(
  service: Service,
  input: { body: unknown; address: string },
): Promise<{ clientId: string; issuedAt: number; metadata: ClientMetadata }> {
  const metadata = readClientMetadata(input.body);
  const clientId = newId("app");
  const issuedAt = await service.db.transaction(async (tx) => {
    const rows = await tx.query<{ issued: number }>(
      `INSERT INTO client (id, metadata) VALUES ($1, $2)
       RETURNING floor(extract(epoch FROM created_at))::float8 AS issued`,
      [clientId, JSON.stringify(metadata)],
    );
    await record(tx, {
      action: "client.registered",
      actor: input.address,
      data: { client_id: clientId, client_name: metadata.client_name },
    });
    return rows[0]?.issued ?? 0;
  });
  return { clientId, issuedAt, metadata };
}
