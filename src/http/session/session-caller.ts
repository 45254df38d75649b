import type { FastifyRequest } from "fastify";
import { Refusal } from "../../core/refusal.ts";
import { hashOf } from "../../core/secret.ts";
import { personIdOf } from "../../domain/accounts/sessions/session-person.ts";
import type { Service } from "../../domain/operation/service/service.ts";
import type { Credential } from "../../domain/tenancy/credential.ts";
import { signedOut } from "../../domain/tenancy/signed-out.ts";
import { formToken, isFormToken } from "./form-token.ts";
import { sameOrigin, sessionToken } from "./session.ts";

const PURPOSE = "panel";
const READING = new Set(["GET", "HEAD"]);

/**
 * Returns the anti-forgery token that the panel sends in `X-Form-Token` with all calls that change something.
 */
export const panelToken = (service: Service, session: string): string => formToken(service, session, PURPOSE);

/**
 * Returns the signed-in person in the project of the URL (`:project`). 401 without a session; 403 for a call
 * from another page than our own. The door checks membership, and whether the session is still valid.
 */
export async function sessionCaller(request: FastifyRequest, service: Service): Promise<Credential> {
  const token = sessionToken(service, request);
  if (token === undefined) throw signedOut();
  const session = hashOf(token);
  const personId = await personIdOf(service, session);
  if (personId === undefined) throw signedOut();
  if (!READING.has(request.method)) checkOurs(service, request, token);
  const { project: projectId } = request.params as { project: string };
  return { kind: "person", projectId, personId, session };
}

/** Refuses calls that did not come from our own page: another origin, or no token of this session. */
export function checkOurs(service: Service, request: FastifyRequest, session: string): void {
  const given = request.headers["x-form-token"];
  if (typeof given !== "string" || !sameOrigin(service, request)) throw forged();
  if (!isFormToken(service, session, PURPOSE, given)) throw forged();
}

const forged = (): Refusal =>
  new Refusal(
    "forbidden",
    "stale_form",
    "This page has expired, or the request did not come from it. Reload the page and try again.",
  );
