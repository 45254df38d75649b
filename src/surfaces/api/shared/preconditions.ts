import type { FastifyRequest } from "fastify";
import { bad } from "../../../domain/values/bad-input.ts";
import type { Version } from "../../../domain/values/version.ts";

/** Returns the version that the caller expects, from If-Match or the body; if both are sent, they must agree. */
export function versionFrom(request: FastifyRequest, given: unknown): { version?: Version } {
  const version = conditionFrom(request, given, "version");
  return version === undefined || version === "*" ? {} : { version };
}

/** Returns the conditions of an upsert, from the headers or the body. */
export function conditionsFrom(
  request: FastifyRequest,
  given: { if_version?: unknown; if_absent?: unknown },
): { if_version?: Version | "*"; if_absent?: unknown } {
  const version = conditionFrom(request, given.if_version, "if_version");
  const absent = isAbsentWanted(request) ? true : given.if_absent;
  if (isAbsentWanted(request) && given.if_absent === false)
    bad("$.if_absent", "condition_twice", "must be the same as in If-None-Match");
  return {
    ...(version === undefined ? {} : { if_version: version }),
    ...(absent === undefined ? {} : { if_absent: absent }),
  };
}

function conditionFrom(request: FastifyRequest, given: unknown, name: string): Version | "*" | undefined {
  const matching = ifMatch(request.headers["if-match"]);
  if (given === undefined) return matching;
  if (typeof given !== "number" || !Number.isInteger(given)) bad(`$.${name}`, "type", "must be an integer");
  if (given < 1 || given > LAST) bad(`$.${name}`, "range", `must be from 1 to ${LAST}`);
  if (matching !== undefined && matching !== "*" && ![matching].flat().includes(given))
    bad(`$.${name}`, "version_twice", "must be the same as in If-Match");
  return given;
}

const LAST = 2_147_483_647;

/** One entity tag of a list, with the comma behind it (RFC 9110 8.8.3 and 5.6.1). */
const TAG = /[\t ,]*(W\/)?"([\x21\x23-\x7e\x80-\xff]*)"[\t ]*(?=,|$)/y;

/**
 * Returns the versions in If-Match (RFC 9110 13.1.1), or `*`; undefined without the header. Tags are compared
 * strongly, so weak ones match nothing, like tags that are no version. A bare number is read as a version, too.
 */
function ifMatch(header: string | undefined): Version | "*" | undefined {
  const given = header?.trim();
  if (given === undefined || given === "*") return given;
  if (/^\d{1,9}$/.test(given)) return Number(given);
  const versions: number[] = [];
  TAG.lastIndex = 0;
  for (let end = 0; end < given.length; end = TAG.lastIndex) {
    const [found, weak, text = ""] = TAG.exec(given) ?? [];
    if (found === undefined) {
      if (end > 0 && /^[\t ,]*$/.test(given.slice(end))) break;
      bad("If-Match", "bad_version", 'must be * or versions in quotation marks, such as "3"');
    }
    if (weak === undefined && /^[1-9]\d{0,9}$/.test(text) && Number(text) <= LAST)
      versions.push(Number(text));
  }
  if (given === "") bad("If-Match", "bad_version", 'must be * or versions in quotation marks, such as "3"');
  return versions.length === 1 ? versions[0] : versions;
}

/** Whether If-None-Match asks that there is no lead yet. */
function isAbsentWanted(request: FastifyRequest): boolean {
  const given = request.headers["if-none-match"]?.trim();
  if (given === undefined) return false;
  if (given !== "*")
    bad("If-None-Match", "bad_version", "must be *, which means that there is no such lead yet");
  return true;
}
