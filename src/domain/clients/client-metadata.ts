import type { ClientMetadata } from "../../contract/oauth/client.ts";
import { Refusal } from "../../core/refusal.ts";
import { redirectUriFault, splitRedirectUri } from "./redirect-uri.ts";

const MOST_REDIRECTS = 10;
const LONGEST_NAME = 256;
const LONGEST_URL = 2_048;

const invalid = (message: string) => new Refusal("malformed", "invalid_client_metadata", message);
const invalidRedirect = (message: string) => new Refusal("malformed", "invalid_redirect_uri", message);

/**
 * An application's metadata as it is registered (RFC 7591 2 and 3.2.1): checked, with defaults, without unknown
 * members. `earlier` redirect URIs were accepted before and are not checked again.
 */
export function readClientMetadata(body: unknown, earlier: readonly string[] = []): ClientMetadata {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid("The body must be a JSON object.");
  const given = body as Record<string, unknown>;
  const redirectUris = redirectsOf(given.redirect_uris, earlier);
  const name = nameOf(given.client_name);
  const clientUri = webAddressOf("client_uri", given.client_uri);
  const logoUri = webAddressOf("logo_uri", given.logo_uri);
  return {
    client_name: name ?? hostOf(redirectUris[0] ?? ""),
    ...(clientUri === undefined ? {} : { client_uri: clientUri }),
    ...(logoUri === undefined ? {} : { logo_uri: logoUri }),
    redirect_uris: redirectUris,
    grant_types: supportedOf("grant_types", given.grant_types, ["authorization_code", "refresh_token"]),
    response_types: supportedOf("response_types", given.response_types, ["code"]),
    token_endpoint_auth_method: "none",
  };
}

function redirectsOf(value: unknown, earlier: readonly string[]): string[] {
  if (!Array.isArray(value) || value.length === 0)
    throw invalidRedirect("redirect_uris must be an array of URIs.");
  if (value.length > MOST_REDIRECTS)
    throw invalidRedirect(`redirect_uris must have at most ${MOST_REDIRECTS} items.`);
  return value.map((uri: unknown, index) => {
    if (typeof uri === "string" && earlier.includes(uri)) return uri;
    const fault = typeof uri === "string" ? redirectUriFault(uri) : "must be a string";
    if (typeof uri !== "string" || fault !== undefined)
      throw invalidRedirect(`redirect_uris[${index}] ${fault}.`);
    return uri;
  });
}

/** The name of an application that gave none: its redirect's host, or the scheme if there is no host. */
function hostOf(redirectUri: string): string {
  const uri = splitRedirectUri(redirectUri);
  return uri?.host || uri?.scheme || redirectUri;
}

const isAbsent = (value: unknown): boolean => value === undefined || value === null || value === "";

function nameOf(value: unknown): string | undefined {
  if (isAbsent(value)) return undefined;
  if (typeof value !== "string" || !isPlainText(value) || value.length > LONGEST_NAME)
    throw invalid(`client_name must be a string of at most ${LONGEST_NAME} characters on one line.`);
  if (!isVisible(value)) throw invalid("client_name must contain a visible character.");
  return value;
}

// Signs and letters that Unicode does not call ignorable, and that are drawn as nothing or as a space.
const VISIBLE =
  /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{13441}\u{13442}]]/v;

/** Whether people see something of a text: one that consists of spaces, marks or fillers looks like no name at all. */
export const isVisible = (text: string): boolean => VISIBLE.test(text);

function webAddressOf(member: string, value: unknown): string | undefined {
  if (isAbsent(value)) return undefined;
  const fits = typeof value === "string" && value.length <= LONGEST_URL && isPlainText(value);
  // With user information, a URL looks like one of another host: https://bank.example@evil.example
  if (!fits || !/^https?:\/\/[^\s\\/?#@]+(?:[/?#][^\s\\]*)?$/i.test(value) || !URL.canParse(value)) {
    throw invalid(`${member} must be an http or https URL without user information.`);
  }
  return value;
}

/**
 * Whether a text has no control characters, line separators or lone surrogates: PostgreSQL refuses some, and pages do
 * not show the others.
 */
const isPlainText = (text: string): boolean => text.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text);

/**
 * The supported ones among the requested values (RFC 7591 3.2.1 lets a server replace them); the first is required.
 */
function supportedOf<T extends string>(member: string, value: unknown, supported: T[]): T[] {
  if (isAbsent(value)) return supported;
  const asked: unknown[] = Array.isArray(value) ? value : [];
  if (
    !asked.every((each) => typeof each === "string") ||
    !supported.slice(0, 1).every((each) => asked.includes(each))
  ) {
    throw invalid(
      `${member} must be an array that includes ${supported[0]}; supported: ${supported.join(", ")}.`,
    );
  }
  return supported.filter((each) => asked.includes(each));
}
