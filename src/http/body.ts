import type { FastifyRequest } from "fastify";
import { Refusal } from "../core/refusal.ts";

const DEEPEST = 64;

/** The body of a JSON request. 415 for another content type, 400 for what is not JSON, is too deep or not UTF-8. */
export function jsonBody(request: FastifyRequest): unknown {
  if (mediaType(request) !== "application/json") {
    throw new Refusal("unsupported_media", "unsupported_media", "Send the body as application/json.");
  }
  const text = textOf(request);
  if (nestsDeeperThan(text, DEEPEST)) {
    throw new Refusal("malformed", "too_deep", `The JSON nests deeper than ${DEEPEST} levels.`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new Refusal("malformed", "not_json", "The body is not valid JSON.");
  }
}

/**
 * The parameters of a form body (application/x-www-form-urlencoded), each with every value it had.
 * Undefined for another content type; a refusal for broken percent-encoding, bad UTF-8 or NUL.
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
    // falls through to the refusal
  }
  throw new Refusal("malformed", "bad_encoding", "A parameter is not valid percent-encoded UTF-8.");
}

function mediaType(request: FastifyRequest): string {
  return (request.headers["content-type"] ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}

function textOf(request: FastifyRequest): string {
  if (!Buffer.isBuffer(request.body)) return "";
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(request.body);
  } catch {
    throw new Refusal("malformed", "not_utf8", "The body is not valid UTF-8.");
  }
}

/** Counts brackets outside of strings, so that nothing recursive ever sees a bottomless body. */
function nestsDeeperThan(text: string, most: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const character = text.charCodeAt(at);
    if (quoted) {
      if (character === 92) at += 1;
      else if (character === 34) quoted = false;
    } else if (character === 34) quoted = true;
    else if (character === 91 || character === 123) {
      depth += 1;
      if (depth > most) return true;
    } else if (character === 93 || character === 125) depth -= 1;
  }
  return false;
}
