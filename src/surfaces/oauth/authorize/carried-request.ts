import { hashOf } from "../../../core/secret.ts";
import type { AuthorizationRequest } from "./authorization-request.ts";

/** A hash of what the consent page showed of the application: if its document changed since, the page is shown again. */
export const clientFingerprint = ({ client }: AuthorizationRequest): string =>
  hashOf(JSON.stringify(client.metadata)).toString("hex");

/** The authorization request inside a form: its query string, in letters that no page has to escape. */
export const carry = (query: string): string => Buffer.from(query, "latin1").toString("base64url");

export const carried = (field: string): string => Buffer.from(field, "base64url").toString("latin1");

/** What a form's anti-forgery token is for: this step of this very request. */
export const purposeOf = (step: "consent" | "project" | "account", query: string): string =>
  `${step} ${hashOf(query).toString("hex")}`;
