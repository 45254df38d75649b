import { registerClient } from "../../../domain/clients/register-client.ts";
import { orCounted } from "../../../domain/clients/registration-limit.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { jsonBody } from "../../../http/request/body.ts";
import { postOnly } from "./cors.ts";

/** Dynamic registration (RFC 7591 3): every call counts against the limit, invalid ones too. */
export const register = postOnly({
  url: "/api/oauth/register",
  describe: { summary: "Register an application (RFC 7591)", tags: ["OAuth"] },
  bodyLimit: 64 * 1_024,
  async handle(service, request) {
    const address = request.ip;
    const body = await orCounted(service, address, () => jsonBody(request));
    const { clientId, issuedAt, metadata } = await perform(service, registerClient, {}, { body, address });
    return { status: 201, body: { client_id: clientId, client_id_issued_at: issuedAt, ...metadata } };
  },
  unhandled: (service, request, refusal) =>
    orCounted(service, request.ip, () => {
      throw refusal;
    }),
});
