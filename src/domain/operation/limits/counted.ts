import type { LimitName } from "../../../core/limit.ts";
import { Refusal } from "../../../core/refusal.ts";
import { checkPassed, RateChecked } from "../../../db/pool/rate-checked.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { type Ask, type Standing, toldOf, tooMany } from "../service/limiter.ts";
import type { Service } from "../service/service.ts";
import { originOf } from "./origin-address.ts";
import { subjectOf } from "./subject-of.ts";

type Work<T> = (service: Service) => Promise<T>;

/**
 * Runs a caller's work if it is within its limit; else refuses with `too_many_requests`. A request is one hit,
 * whatever it carries and however it ends; work without a request (jobs, command line) is not counted. Without
 * `limit`, the default limit of the credential's kind applies, unless this request was already counted.
 */
export async function countedFor<T>(
  service: Service,
  limit: LimitName | undefined,
  caller: Credential,
  work: Work<T>,
): Promise<T> {
  service.origin?.onProject?.(caller.projectId);
  const hits = service.origin?.hits;
  const name = limit ?? (caller.kind === "token" ? "mcp" : "api");
  if (hits === undefined || hits.has(name) || (limit === undefined && hits.size > 0)) {
    return await work(service);
  }
  if (service.config.limits[name] === null) return await work(service);
  const subject = await subjectOf(service, caller);
  return subject === undefined ? await work(service) : await counted(service, name, subject, work);
}

/** The same, counted by the address that the request came from. */
export const countedFrom = async <T>(service: Service, name: LimitName, work: Work<T>): Promise<T> =>
  await counted(service, name, addressOf, work);

/**
 * If a call was refused without a valid credential, counts it against its address, which bounds guessing. Returns
 * the refusal to send: the given one or `too_many_requests`. Holders of a valid key are not affected.
 */
export async function refusedAnonymous(service: Service, name: LimitName, error: unknown): Promise<unknown> {
  if (!(error instanceof Refusal) || error.kind !== "unauthenticated") return error;
  try {
    await counted(service, name, addressOf, async () => undefined);
    return error;
  } catch (instead) {
    return instead;
  }
}

async function counted<T>(
  service: Service,
  name: LimitName,
  subject: string | ((service: Service) => string),
  work: Work<T>,
): Promise<T> {
  const limit = service.config.limits[name];
  if (limit === null) return await work(service);
  const ask = { name, limit, subject: typeof subject === "string" ? subject : subject(service) };
  const { along } = service.limiter;
  service.origin?.hits?.set(name, undefined);
  await checkPassed(service.db);
  if (along === undefined) {
    noteStanding(service, ask, await service.limiter.take(ask));
    return await work(service);
  }
  // The rate check is sent with the work's first message; if the work sends none, it is sent separately.
  const db = new RateChecked(service.db, {
    statement: (pass) => along.statement(ask, pass),
    admit: (row) => noteStanding(service, ask, along.standing(ask, row)),
  });
  let outcome: T;
  try {
    outcome = await work({ ...service, db });
  } catch (error) {
    await db.passed().catch((failed: unknown) => {
      if (failed instanceof Refusal) throw failed;
    });
    throw error;
  }
  await db.passed();
  return outcome;
}

/** Keeps the limit's state for the response headers; throws if the request exceeds the limit. */
function noteStanding(service: Service, { name }: Ask, standing: Standing): void {
  service.origin?.hits?.set(name, toldOf(standing));
  if (!standing.taken) throw tooMany(standing);
}

const addressOf = (service: Service): string => `from ${originOf(service.origin?.address ?? "")}`;
