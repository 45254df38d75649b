import type { FastifyRequest } from "fastify";
import { SCOPES, type Scope } from "../../../core/permission.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Person } from "../../../domain/accounts/people/account.ts";
import { askingClient } from "../../../domain/clients/asking-client.ts";
import type { Client } from "../../../domain/clients/client.ts";
import { isDocumentAddress } from "../../../domain/clients/document-address.ts";
import { findClient } from "../../../domain/clients/find-client.ts";
import { isSameRedirect } from "../../../domain/clients/redirect-uri.ts";
import { isChallenge } from "../../../domain/grants/pkce.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import { parametersOf } from "../../../http/request/body.ts";
import { askedScopes } from "../shared/asked-scopes.ts";
import { isOurResource } from "../shared/resource.ts";

/** What the address of an authorization request says, before anybody looked whether it is so. */
interface Stated {
  /** As it came, without the question mark: what the forms carry on. */
  query: string;
  clientId: string;
  redirectUri: string;
  state: string | undefined;
  parameters: ReadonlyMap<string, readonly string[]>;
}

/** An authorization request whose application and way back are certain; the rest may still be wrong. */
export interface AuthorizationRequest extends Stated {
  client: Client;
}

/** What an application asks of a person, once every parameter is right. */
export interface Wish {
  scopes: Scope[];
  challenge: string;
}

const astray = (code: string, message: string): Refusal => new Refusal("malformed", code, message);

const FORM_OPEN = 3_600;

/**
 * The request, or a refusal for a page: without a known application and its own registered redirect URI
 * nobody is ever sent anywhere (OAuth 2.1 4.1.2.1). May fetch the application's document, so it wants to know
 * the person; a form still counts for the document that its page was made of an hour ago.
 */
export async function authorizationRequest(
  service: Service,
  query: string,
  on: { person: Person; step: "page" | "form" },
): Promise<AuthorizationRequest> {
  const stated = statedIn(query);
  const client = await askingClient(service, stated.clientId, on.step === "form" ? FORM_OPEN : 0);
  return withClient(stated, client);
}

/** What somebody hears of a request who has not signed in: nothing is fetched for them. */
export async function strangersRequest(
  service: Service,
  query: string,
): Promise<{ query: string; applicationName: string }> {
  const stated = statedIn(query);
  if (service.config.documents.allowed && isDocumentAddress(stated.clientId)) {
    return { query, applicationName: new URL(stated.clientId).host };
  }
  const { client } = withClient(stated, await findClient(service, stated.clientId));
  return { query, applicationName: client.metadata.client_name };
}

function statedIn(query: string): Stated {
  if (!/^[\x21-\x7e]*$/.test(query)) {
    throw astray("request_unreadable", "The URL contains invalid characters.");
  }
  const parameters = parametersOf(query);
  const clientId = only(parameters.get("client_id"));
  if (clientId === undefined) {
    throw astray("request_nameless", "The application must send client_id exactly once.");
  }
  const redirectUri = only(parameters.get("redirect_uri"));
  if (redirectUri === undefined) {
    throw astray("request_homeless", "The application must send redirect_uri exactly once.");
  }
  return { query, clientId, redirectUri, state: only(parameters.get("state")), parameters };
}

function withClient(stated: Stated, client: Client | undefined): AuthorizationRequest {
  if (client === undefined) {
    throw astray("client_unknown", "This application is not registered here. It has to register again.");
  }
  if (!client.metadata.redirect_uris.some((own) => isSameRedirect(own, stated.redirectUri))) {
    throw astray("redirect_foreign", "The application sent a redirect_uri that it has not registered.");
  }
  return { ...stated, client };
}

/** The query string as it was sent. */
export function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? "";
  const cut = url.indexOf("?");
  return cut < 0 ? "" : url.slice(cut + 1);
}

const only = (values: readonly string[] | undefined): string | undefined =>
  values?.length === 1 ? values[0] || undefined : undefined;

/** An error that goes back to the application (OAuth 2.1 4.1.2.1, RFC 8707 2). */
export interface Complaint {
  error: string;
  description: string;
}

const REQUIRED = ["response_type", "state", "code_challenge", "code_challenge_method", "scope"];
const KNOWN = [...REQUIRED, "resource"];

/** What the application wishes, or what is wrong with how it asks. */
export function wishOf(service: Service, { parameters }: AuthorizationRequest): Wish | Complaint {
  const repeated = KNOWN.find((name) => (parameters.get(name)?.length ?? 0) > 1);
  if (repeated !== undefined) return invalid(`The parameter ${repeated} must not be repeated.`);
  const get = (name: string): string => parameters.get(name)?.[0] ?? "";
  const missing = REQUIRED.find((name) => get(name) === "");
  if (missing !== undefined) return invalid(`The parameter ${missing} is required.`);
  if (get("response_type") !== "code") {
    return { error: "unsupported_response_type", description: "response_type must be code." };
  }
  if (get("code_challenge_method") !== "S256") return invalid("code_challenge_method must be S256.");
  const challenge = get("code_challenge");
  if (!isChallenge(challenge)) return invalid("code_challenge must be 43 characters of base64url.");
  const scopes = askedScopes(get("scope"));
  if (scopes.length === 0)
    return { error: "invalid_scope", description: `scope must have at least one of ${SCOPES.join(", ")}.` };
  const resource = get("resource");
  if (resource !== "" && !isOurResource(service, resource)) {
    return { error: "invalid_target", description: "resource must be a resource of this server." };
  }
  return { scopes, challenge };
}

const invalid = (description: string): Complaint => ({ error: "invalid_request", description });
