import * as oauth from "../../../contract/oauth/oauth.ts";
import { revokeToken } from "../../../domain/grants/revoke-token.ts";
import { perform } from "../../../domain/operation/operation.ts";
import { postOnly } from "./cors.ts";
import { formParameters } from "./form-parameters.ts";

/** The revocation endpoint (RFC 7009 2): 200 for an unknown token too. */
export const revoke = postOnly({
  endpoint: oauth.revokeToken,
  bodyLimit: 16 * 1_024,
  limit: "revoke",
  async handle(service, request) {
    const form = formParameters(request);
    const input = { token: form.need("token") };
    await perform(service, revokeToken, { clientId: form.get("client_id") }, input);
    return { status: 200, body: {} };
  },
});
