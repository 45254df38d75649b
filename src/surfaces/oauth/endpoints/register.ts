import type { RegisteredClient } from "../../../contract/oauth/client.ts";
import * as oauth from "../../../contract/oauth/oauth.ts";
import { registerClient } from "../../../domain/clients/register-client.ts";
import { orCounted } from "../../../domain/clients/registration-limit.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { jsonBody } from "../../../http/request/body.ts";
import { postOnly } from "./cors.ts";

/** Dynamic registration (RFC 7591 3): every call counts against the limit, invalid ones too. */
export const register = postOnly({
  endpoint: oauth.registerApplication,
  bodyLimit: 64 * 1_024,
  async handle(service, request) {
    const address = request.ip;
    const body = await orCounted(service, address, () => jsonBody(request));
    const { clientId, issuedAt, metadata } = await perform(service, registerClient, {}, { body, address });
    const client: RegisteredClient = { client_id: clientId, client_id_issued_at: issuedAt, ...metadata };
    return { status: 201, body: client };
  },
  unhandled: (service, request, refusal) =>
    orCounted(service, request.ip, () => {
      throw refusal;
    }),
});
