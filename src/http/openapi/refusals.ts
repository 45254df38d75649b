import type { Endpoint, HeaderName, Refusals } from "../../contract/basics/endpoint.ts";
import { OAuthError, Problem, SimpleProblem } from "../../contract/basics/problem.ts";

/** The schema of the body of a refusal. */
export const REFUSAL_BODY = { v1: Problem, current: SimpleProblem, oauth: OAuthError } satisfies Record<
  Refusals,
  object
>;

/** Why each status comes. */
export const REASONS: Readonly<Record<number, string>> = {
  400: "The request is malformed: not JSON, an unknown key or parameter, an invalid filter, or a condition that the call does not check.",
  401: "The credential is missing, wrong, expired or revoked.",
  403: "The credential lacks the permission, or the project is another one.",
  404: "There is no such record in this project.",
  408: "The body did not arrive completely in time.",
  409: "The call conflicts with what is stored; the code and the details say how.",
  410: "The file was deleted.",
  412: "The record has changed since the version that the call expects, or it exists, or does not exist, against a condition.",
  413: "The body is too large.",
  415: "The body has another content type than those listed.",
  422: "Values do not fit their fields; the details name each.",
  429: "Too many calls, too many at once (too_many_at_once), or too much unfinished work. Nothing was done: wait, then repeat the call.",
  500: "Something went wrong in the service.",
  503: "The service has too much to do (overloaded) or is being upgraded (migrating): nothing was done, so repeat any call. Or the database is away or takes no changes, or the statement took too long. Wait, then repeat the call; unless the code is overloaded or migrating, look first after a write.",
};

/** The headers of a refusal besides X-Request-Id and those of rate limits. */
export const refusalHeaders = (status: number, kind: Refusals): readonly HeaderName[] => {
  if (status === 401 && kind !== "oauth") return ["WWW-Authenticate"];
  return status === 429 || status === 503 ? ["Retry-After"] : [];
};

const EVERYWHERE = [400, 429, 500, 503];
const WITH_A_KEY = [401, 403];
const WITH_A_BODY = [408, 413];

/** The statuses of all refusals of an endpoint, in order. */
export function refusalsOf({ needs, body, refusals, refused = [] }: Endpoint): number[] {
  const all = [
    ...EVERYWHERE,
    ...(needs === undefined ? [] : WITH_A_KEY),
    ...(body === undefined ? [] : WITH_A_BODY),
    // RFC 6749 5.2 calls every malformed request invalid_request, which is a 400.
    ...(body === undefined || refusals === "oauth" ? [] : [415]),
    ...refused,
  ];
  return [...new Set(all)].sort((a, b) => a - b);
}
