import type { FastifyRequest } from "fastify";
import { SCOPES, type Scope } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import { findAskingClient } from "../../../domain/clients/asking-client.ts";
import type { Client } from "../../../domain/clients/client.ts";
import { isDocumentAddress } from "../../../domain/clients/document-address.ts";
import { findClient } from "../../../domain/clients/find-client.ts";
import { isSameRedirect } from "../../../domain/clients/redirect-uri.ts";
import { isChallenge } from "../../../domain/grants/pkce.ts";
import type { SignedIn } from "../../../domain/operation/callers.ts";
import { perform } from "../../../domain/operation/operation.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { parametersOf } from "../../../http/request/body.ts";
import { askedScopes } from "../shared/asked-scopes.ts";
import { areOurResources } from "../shared/resource.ts";

/** The parameters of an authorization request, not yet checked. */
interface UncheckedRequest {
  /** Verbatim, without the question mark: forms pass it on. */
  query: string;
  clientId: string;
  redirectUri: string;
  state: string | undefined;
  parameters: ReadonlyMap<string, readonly string[]>;
}

/**
 * A request of a known application with one of its registered redirect URIs; other parameters may be invalid.
 */
export interface AuthorizationRequest extends UncheckedRequest {
  client: Client;
}

/** The access that a valid authorization request asks for. */
export interface RequestedAccess {
  scopes: Scope[];
  challenge: string;
}

/** Returns an error that is shown on a page, as it cannot be returned to the application. */
const unreturnable = (code: string, message: string): Refusal => new Refusal("malformed", code, message);

const FORM_OPEN = 3_600;

/**
 * Returns the request, or a refusal for a page: without a known application and a registered redirect URI,
 * nobody is redirected (OAuth 2.1 4.1.2.1). It may fetch the application's document, so it requires a
 * signed-in person; a form stays valid for the document shown on its page, for an hour.
 */
export async function authorizationRequest(
  service: Service,
  query: string,
  caller: SignedIn,
  step: "page" | "form",
): Promise<AuthorizationRequest> {
  const unchecked = uncheckedRequest(query);
  const asking = { clientId: unchecked.clientId, grace: step === "form" ? FORM_OPEN : 0 };
  const client = await perform(service, findAskingClient, caller, asking);
  return withClient(unchecked, client);
}

/** Returns what is shown of a request before sign-in: nothing is fetched for anonymous callers. */
export async function anonymousRequest(
  service: Service,
  query: string,
): Promise<{ query: string; applicationName: string }> {
  const unchecked = uncheckedRequest(query);
  if (service.config.documents.allowed && isDocumentAddress(unchecked.clientId)) {
    return { query, applicationName: new URL(unchecked.clientId).host };
  }
  const { client } = withClient(unchecked, await findClient(service, unchecked.clientId));
  return { query, applicationName: client.metadata.client_name };
}

function uncheckedRequest(query: string): UncheckedRequest {
  if (!/^[\x21-\x7e]*$/.test(query)) {
    throw unreturnable("request_unreadable", "The URL contains invalid characters.");
  }
  const parameters = parametersOf(query);
  const clientId = only(parameters.get("client_id"));
  if (clientId === undefined) {
    throw unreturnable("request_nameless", "The application must send client_id exactly once.");
  }
  const redirectUri = only(parameters.get("redirect_uri"));
  if (redirectUri === undefined) {
    throw unreturnable("request_homeless", "The application must send redirect_uri exactly once.");
  }
  return { query, clientId, redirectUri, state: only(parameters.get("state")), parameters };
}

function withClient(unchecked: UncheckedRequest, client: Client | undefined): AuthorizationRequest {
  if (client === undefined) {
    throw unreturnable(
      "client_unknown",
      "This application is not registered here. It has to register again.",
    );
  }
  if (!client.metadata.redirect_uris.some((own) => isSameRedirect(own, unchecked.redirectUri))) {
    throw unreturnable("redirect_foreign", "The application sent a redirect_uri that it has not registered.");
  }
  return { ...unchecked, client };
}

/** Returns the query string verbatim. */
export function queryStringOf(request: FastifyRequest): string {
  const url = request.raw.url ?? "";
  const cut = url.indexOf("?");
  return cut < 0 ? "" : url.slice(cut + 1);
}

const only = (values: readonly string[] | undefined): string | undefined =>
  values?.length === 1 ? values[0] || undefined : undefined;

/** An error of the request itself, found before the person is asked (OAuth 2.1 4.1.2.1, RFC 8707 2). */
export interface AuthorizationError {
  error: "invalid_request" | "unsupported_response_type" | "invalid_scope" | "invalid_target";
  description: string;
}

const REQUIRED = ["response_type", "state", "code_challenge", "code_challenge_method", "scope"];
const ONCE = [...REQUIRED, "response_mode"];

/** Returns the access that a request asks for, or the error of its first invalid parameter. */
export function requestedAccess(
  service: Service,
  { parameters }: AuthorizationRequest,
): RequestedAccess | AuthorizationError {
  const repeated = ONCE.find((name) => (parameters.get(name)?.length ?? 0) > 1);
  if (repeated !== undefined) return invalid(`The parameter ${repeated} must not be repeated.`);
  const get = (name: string): string => parameters.get(name)?.[0] ?? "";
  const missing = REQUIRED.find((name) => get(name) === "");
  if (missing !== undefined) return invalid(`The parameter ${missing} is required.`);
  if (get("response_type") !== "code") {
    return { error: "unsupported_response_type", description: "response_type must be code." };
  }
  if (!["", "query"].includes(get("response_mode"))) return invalid("response_mode must be query.");
  if (get("code_challenge_method") !== "S256") return invalid("code_challenge_method must be S256.");
  const challenge = get("code_challenge");
  if (!isChallenge(challenge)) return invalid("code_challenge must be 43 characters of base64url.");
  const scopes = askedScopes(get("scope"));
  if (scopes.length === 0)
    return { error: "invalid_scope", description: `scope must have at least one of ${SCOPES.join(", ")}.` };
  if (!areOurResources(service, parameters.get("resource"))) {
    return { error: "invalid_target", description: "resource must be a resource of this server." };
  }
  return { scopes, challenge };
}

const invalid = (description: string): AuthorizationError => ({ error: "invalid_request", description });
