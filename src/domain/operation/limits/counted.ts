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
 * Does a caller's work once it took its turn, or refuses it with `too_many_requests`. A request takes one turn of a
 * limit, whatever it carries and however it ends; work without a request of its own (jobs, the command line) none.
 * `limit` undefined is for what says nothing: the usual one of this kind of credential, unless another was taken.
 */
export async function countedFor<T>(
  service: Service,
  limit: LimitName | undefined,
  caller: Credential,
  work: Work<T>,
): Promise<T> {
  const turns = service.origin?.turns;
  const name = limit ?? (caller.kind === "token" ? "mcp" : "api");
  if (turns === undefined || turns.has(name) || (limit === undefined && turns.size > 0)) {
    return await work(service);
  }
  if (service.config.limits[name] === null) return await work(service);
  const subject = await subjectOf(service, caller);
  return subject === undefined ? await work(service) : await counted(service, name, subject, work);
}

/** The same for a call that is counted for the address it came from. */
export const countedFrom = async <T>(service: Service, name: LimitName, work: Work<T>): Promise<T> =>
  await counted(service, name, addressOf, work);

/**
 * Counts a call for its address where it was refused for want of a valid credential, so that guessing is bounded;
 * answers what to say: the refusal itself, or that there were too many. The holder of a key is not held up by it.
 */
export async function refusedStranger(service: Service, name: LimitName, error: unknown): Promise<unknown> {
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
  service.origin?.turns?.set(name, undefined);
  await checkPassed(service.db);
  if (along === undefined) {
    heard(service, ask, await service.limiter.take(ask));
    return await work(service);
  }
  // The turn goes along with the work's first message; work that sends none takes it by itself.
  const db = new RateChecked(service.db, {
    statement: (pass) => along.statement(ask, pass),
    admit: (row) => heard(service, ask, along.standing(ask, row)),
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

/** Keeps how the bucket stands for the answer's headers; throws where there was no turn. */
function heard(service: Service, { name }: Ask, standing: Standing): void {
  service.origin?.turns?.set(name, toldOf(standing));
  if (!standing.taken) throw tooMany(standing);
}

const addressOf = (service: Service): string => `from ${originOf(service.origin?.address ?? "")}`;
