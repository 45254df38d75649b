import { hashOf } from "../../../core/secret.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/**
 * Returns a hash of what the consent page showed of the application: if its document changed, the page is
 * shown again.
 */
export const clientFingerprint = ({ client }: AuthorizationRequest): string =>
  hashOf(JSON.stringify(client.metadata)).toString("hex");

/** Returns the request's query string in characters that need no escaping in a form. */
export const carry = (query: string): string => Buffer.from(query, "latin1").toString("base64url");

export const carried = (field: string): string => Buffer.from(field, "base64url").toString("latin1");

/** Returns the purpose of a form's anti-forgery token: one step of one request. */
export const purposeOf = (step: "consent" | "project" | "account", query: string): string =>
  `${step} ${hashOf(query).toString("hex")}`;
