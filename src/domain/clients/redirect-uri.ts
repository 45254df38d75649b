import { redirectSchemeFault } from "./redirect-scheme.ts";

const LONGEST = 2_048;
const LOOPBACK_HOSTS = new Set(["127.0.0.1", "[::1]", "localhost"]);
const OUR_PARAMETERS = new Set(["code", "state", "iss", "error"]);

/** The raw parts of a redirect URI; `authority` is undefined where no `//` follows the scheme. */
export interface RedirectUri {
  scheme: string;
  authority: string | undefined;
  host: string;
  port: string;
  /** Path and query, verbatim. */
  rest: string;
}

/**
 * Splits a URI by RFC 3986. The URL class is not suitable: it drops tabs, NUL, default ports and an empty fragment,
 * and reads a backslash as a slash.
 */
export function splitRedirectUri(text: string): RedirectUri | undefined {
  const uri = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?]*))?([^#]*)$/.exec(text);
  const [, scheme, authority, rest] = uri ?? [];
  if (scheme === undefined || rest === undefined) return undefined;
  const place = /^(\[[0-9A-Fa-f:.]+\]|[^:@[\]]*)(?::(\d{1,5}))?$/.exec(authority ?? "");
  if (place === null || Number(place[2] ?? 0) > 65_535) return undefined;
  return { scheme: scheme.toLowerCase(), authority, host: place[1] ?? "", port: place[2] ?? "", rest };
}

/**
 * Why this text cannot be a redirect URI of an application (OAuth 2.1 2.3, RFC 8252 7 and 8.4); undefined if it
 * can.
 */
export function redirectUriFault(text: string): string | undefined {
  if (text.length > LONGEST) return `is longer than ${LONGEST} characters`;
  if (text.includes("#")) return "has a fragment";
  if (!/^(?:[A-Za-z0-9\-._~:/?[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/.test(text))
    return "is not a URI (RFC 3986)";
  const uri = splitRedirectUri(text);
  if (uri === undefined) return "is not absolute, or has user information or an invalid port";
  const schemeFault = redirectSchemeFault(uri.scheme);
  if (schemeFault !== undefined) return schemeFault;
  if (uri.scheme === "https" && (uri.host === "" || !URL.canParse(text))) return "has no host";
  if (uri.scheme === "http" && !LOOPBACK_HOSTS.has(uri.host)) {
    return "uses http, which is allowed only for 127.0.0.1, [::1] and localhost";
  }
  if (uri.rest === "" && uri.host === "") return "is not a usable address";
  if (queryNames(uri.rest).some((name) => OUR_PARAMETERS.has(name))) {
    return "has code, state, iss or error in its query";
  }
  return undefined;
}

function queryNames(rest: string): string[] {
  const cut = rest.indexOf("?");
  return cut < 0 ? [] : [...new URLSearchParams(rest.slice(cut + 1)).keys()];
}

/**
 * Whether the requested redirect URI is this registered one: byte for byte, except that an http loopback address
 * may use any port (RFC 8252 7.3).
 */
export function isSameRedirect(registered: string, asked: string): boolean {
  if (registered === asked) return true;
  const [left, right] = [splitRedirectUri(registered), splitRedirectUri(asked)];
  if (left === undefined || right === undefined) return false;
  const portless = (uri: RedirectUri) => `http://${uri.host}${uri.rest}`;
  const written = (uri: RedirectUri) =>
    `http://${uri.host}${uri.port === "" ? "" : `:${uri.port}`}${uri.rest}`;
  return (
    LOOPBACK_HOSTS.has(left.host) &&
    written(left) === registered &&
    written(right) === asked &&
    portless(left) === portless(right)
  );
}

/** The target of a redirect for people to read: the host, and for private-use schemes the scheme too. */
export function placeOfRedirect(text: string): string {
  const uri = splitRedirectUri(text);
  if (uri === undefined) return text;
  if (uri.scheme === "https" || uri.scheme === "http") return uri.authority ?? "";
  return uri.authority === undefined ? `${uri.scheme}:` : `${uri.scheme}://${uri.authority}`;
}

/** Whether a redirect stays on the person's own device. */
export function isLoopback(text: string): boolean {
  const uri = splitRedirectUri(text);
  return uri !== undefined && uri.scheme === "http" && LOOPBACK_HOSTS.has(uri.host);
}
