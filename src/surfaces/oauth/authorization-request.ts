import type { FastifyRequest } from "fastify";
import type { Scope } from "../../core/permission.ts";
import { Refusal } from "../../core/refusal.ts";
import type { Client } from "../../domain/clients/client.ts";
import { findClient } from "../../domain/clients/find-client.ts";
import { isSameRedirect } from "../../domain/clients/redirect-uri.ts";
import type { Service } from "../../domain/service.ts";
import { parametersOf } from "../../http/body.ts";

/** An authorization request whose application and way back are certain; the rest may still be wrong. */
export interface AuthorizationRequest {
  /** As it came, without the question mark: what the forms carry on. */
  query: string;
  client: Client;
  redirectUri: string;
  state: string | undefined;
  parameters: ReadonlyMap<string, readonly string[]>;
}

/** What an application asks of a person, once every parameter is right. */
export interface Wish {
  scopes: Scope[];
  challenge: string;
}

const astray = (message: string): Refusal => new Refusal("malformed", "astray", message);

/**
 * The request, or a refusal for a page: without a known application and its own registered redirect URI
 * nobody is ever sent anywhere (OAuth 2.1 4.1.2.1).
 */
export async function authorizationRequest(service: Service, query: string): Promise<AuthorizationRequest> {
  if (!/^[\x21-\x7e]*$/.test(query)) throw astray("The address holds characters that do not belong there.");
  const parameters = parametersOf(query);
  const clientId = only(parameters.get("client_id"));
  if (clientId === undefined) throw astray("The application did not say, once, who it is (client_id).");
  const redirectUri = only(parameters.get("redirect_uri"));
  if (redirectUri === undefined)
    throw astray("The application did not say, once, where to return (redirect_uri).");
  const client = await findClient(service, clientId);
  if (client === undefined) throw astray("This application is not known here. It has to register again.");
  if (!client.metadata.redirect_uris.some((registered) => isSameRedirect(registered, redirectUri))) {
    throw astray("The application asked to return to an address that it has not registered.");
  }
  return { query, client, redirectUri, state: only(parameters.get("state")), parameters };
}

/** The query string as it was sent. */
export function queryOf(request: FastifyRequest): string {
  const url = request.raw.url ?? "";
  const cut = url.indexOf("?");
  return cut < 0 ? "" : url.slice(cut + 1);
}

const only = (values: readonly string[] | undefined): string | undefined =>
  values?.length === 1 ? values[0] || undefined : undefined;
