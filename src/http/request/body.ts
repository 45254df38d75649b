import { isAscii } from "node:buffer";
import type { FastifyRequest } from "fastify";
import { malformed, Refusal } from "../../core/refusal.ts";
import { endOfString, keyCount, repeatedKey } from "./repeated-key.ts";

type Posted = Pick<FastifyRequest, "method" | "headers" | "body">;

const DEEPEST = 64;
/** The content type of a PATCH body besides JSON (RFC 7396). */
const MERGE_PATCH = "application/merge-patch+json";

/** Whether a request was sent with a body that is not empty. */
export const hasBody = ({ body }: Pick<Posted, "body">): boolean => Buffer.isBuffer(body) && body.length > 0;

/**
 * Reads a JSON body. 415 for another content type, 400 for invalid JSON, too deep nesting or invalid UTF-8.
 */
export function jsonBody(request: Posted): unknown {
  const type = mediaType(request);
  if (type !== "application/json" && !(request.method === "PATCH" && type === MERGE_PATCH)) {
    throw new Refusal("unsupported_media", "unsupported_media", "Send the body as application/json.");
  }
  const text = textOf(request);
  const keys = keysIn(text, DEEPEST);
  if (keys === Number.POSITIVE_INFINITY) {
    throw new Refusal("malformed", "too_deep", `The JSON is nested deeper than ${DEEPEST} levels.`);
  }
  const value = parsed(text);
  // JSON.parse silently keeps the last of two equal keys, which may not be the one that the caller meant.
  if (keyCount(value) !== keys) {
    throw malformed([
      { path: repeatedKey(text) ?? "$", code: "repeated_key", message: "must not be given more than once" },
    ]);
  }
  return value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal("malformed", "not_json", "The body is not valid JSON.");
  }
}

/**
 * Reads a form body (application/x-www-form-urlencoded): each parameter with all of its values. Undefined for
 * another content type; a refusal for broken percent-encoding, invalid UTF-8 or NUL.
 */
export function formBody(request: FastifyRequest): Map<string, string[]> | undefined {
  return mediaType(request) === "application/x-www-form-urlencoded"
    ? parametersOf(textOf(request))
    : undefined;
}

/** Decodes `a=1&b=2` strictly: what the URL class would repair or drop is refused. */
export function parametersOf(text: string): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const cut = pair.indexOf("=");
    const name = decode(cut < 0 ? pair : pair.slice(0, cut));
    const value = decode(cut < 0 ? "" : pair.slice(cut + 1));
    parameters.set(name, [...(parameters.get(name) ?? []), value]);
  }
  return parameters;
}

function decode(text: string): string {
  try {
    const plain = decodeURIComponent(text.replaceAll("+", " "));
    if (!plain.includes("\0")) return plain;
  } catch {
    // refused below
  }
  throw new Refusal("malformed", "bad_encoding", "A parameter is not valid percent-encoded UTF-8.");
}

/** Returns a body's media type in lower case, without parameters. */
export function mediaType({ headers }: Pick<Posted, "headers">): string {
  const type = headers["content-type"] ?? "";
  if (type === "application/json") return type;
  return type.split(";")[0]?.trim().toLowerCase() ?? "";
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });

function textOf(request: Posted): string {
  if (!Buffer.isBuffer(request.body)) return "";
  // Most bodies are ASCII, and this costs a tenth of decoding.
  if (isAscii(request.body)) return request.body.toString("latin1");
  try {
    return UTF8.decode(request.body);
  } catch {
    throw new Refusal("malformed", "not_utf8", "The body is not valid UTF-8.");
  }
}

/**
 * Returns the number of keys in all objects, or Infinity if the nesting is deeper than `most`, so that no
 * recursive function receives too deep a body. It only looks at brackets and colons outside of strings.
 */
function keysIn(text: string, most: number): number {
  let depth = 0;
  let colons = 0;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (character === 34) at = endOfString(text, at);
    else if (character === 58) colons += 1;
    else if (character === 91 || character === 123) {
      depth += 1;
      if (depth > most) return Number.POSITIVE_INFINITY;
    } else if (character === 93 || character === 125) depth -= 1;
  }
  return colons;
}
