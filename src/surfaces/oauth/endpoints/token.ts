import type { FastifyRequest } from "fastify";
import * as oauth from "../../../contract/oauth/oauth.ts";
import type { Tokens } from "../../../contract/oauth/token.ts";
import { SCOPES, type Scope } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import { exchangeCode } from "../../../domain/grants/exchange-code.ts";
import type { IssuedTokens } from "../../../domain/grants/issued-tokens.ts";
import { checkReplay, refreshTokens } from "../../../domain/grants/refresh-tokens.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { askedScopes } from "../shared/asked-scopes.ts";
import { areOurResources } from "../shared/resource.ts";
import { postOnly } from "./cors.ts";
import { type FormParameters, formParameters } from "./form-parameters.ts";

/**
 * The token endpoint (OAuth 2.1 3.2): checks content type, parameters and client before the code or token.
 */
export const token = postOnly({
  endpoint: oauth.issueTokens,
  bodyLimit: 16 * 1_024,
  limit: "token",
  async handle(service, request) {
    const { accessToken, refreshToken, expiresIn, scopes } = await grant(service, request);
    return {
      status: 200,
      body: {
        access_token: accessToken,
        token_type: "Bearer",
        expires_in: expiresIn,
        refresh_token: refreshToken,
        scope: scopes.join(" "),
      } satisfies Tokens,
    };
  },
});

async function grant(service: Service, request: FastifyRequest): Promise<IssuedTokens> {
  const form = formParameters(request, ["resource"]);
  const type = form.need("grant_type");
  if (type === "authorization_code") return await exchange(service, form);
  if (type === "refresh_token") return await refresh(service, form);
  throw new Refusal(
    "malformed",
    "unsupported_grant_type",
    "grant_type must be one of authorization_code, refresh_token.",
  );
}

async function exchange(service: Service, form: FormParameters): Promise<IssuedTokens> {
  const code = form.need("code");
  const clientId = form.need("client_id");
  const redirectUri = form.need("redirect_uri");
  const verifier = form.need("code_verifier");
  checkResource(service, form);
  return await perform(service, exchangeCode, { clientId }, { code, redirectUri, verifier });
}

async function refresh(service: Service, form: FormParameters): Promise<IssuedTokens> {
  const refreshToken = form.need("refresh_token");
  const clientId = form.need("client_id");
  let scopes: Scope[] | undefined;
  try {
    scopes = narrowed(form.get("scope"));
    checkResource(service, form);
  } catch (refusal) {
    await perform(service, checkReplay, { clientId }, { refreshToken });
    throw refusal;
  }
  return await perform(service, refreshTokens, { clientId }, { refreshToken, scopes });
}

function narrowed(scope: string | undefined): Scope[] | undefined {
  if (scope === undefined) return undefined;
  const scopes = askedScopes(scope);
  if (scopes.length === 0)
    throw new Refusal("malformed", "invalid_scope", `scope must have at least one of ${SCOPES.join(", ")}.`);
  return scopes;
}

function checkResource(service: Service, form: FormParameters): void {
  if (!areOurResources(service, form.all("resource"))) {
    throw new Refusal("malformed", "invalid_target", "resource must be a resource of this server.");
  }
}
