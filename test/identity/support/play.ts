import { ToldCalls } from "../../changes/support/told-calls.ts";
import type { KeyActor } from "../../world.ts";
import { contents, IdentityModel, type ModelAnswer, type ModelLead } from "./model.ts";
import type { Addresses } from "./rows.ts";

const STEPS = 16;

/** What the service answers to one record. */
interface Answered {
  status: number;
  id: string | null;
  outcome: string;
  error: { code: string; details: { code: string; message: string }[] } | null;
}

/**
 * Plays a random history of few values against the service and the model; throws where they differ, after each step. The
 * seed decides everything.
 */
export async function playIdentities(key: KeyActor, seed: number): Promise<void> {
  const calls = new ToldCalls("identities", [key], seed);
  const { random, one } = calls;
  const model = new IdentityModel();
  const source = `identities ${seed}`;
  const values = {
    external_id: ["x", "y", "z"].map((letter) => `${letter}-${seed}`),
    email: ["a", "b", "c", "d"].map((letter) => `${letter}@${seed}.example.org`),
    phone: [1, 2, 3].map((digit) => `+55119${10_000_000 + seed * 10 + digit}`),
  };
  for (let n = 0; n < STEPS; n += 1) {
    await step();
    await compare();
  }

  async function step(): Promise<void> {
    const roll = random();
    const { alive } = model;
    if (roll < 0.25 || alive.length === 0) return await create();
    if (roll < 0.55) return await upsert();
    if (roll < 0.7) return await bulk();
    if (roll < 0.8) return await event();
    if (roll < 0.9 && alive.length > 1) return await merge(alive);
    return await remove(one(alive));
  }

  /** A record with some main addresses. */
  function record(): Addresses {
    const given = {
      ...(random() < 0.35 ? { external_id: one(values.external_id) } : {}),
      ...(random() < 0.65 ? { email: one(values.email) } : {}),
      ...(random() < 0.5 ? { phone: one(values.phone) } : {}),
    };
    return Object.keys(given).length === 0 ? { email: one(values.email) } : given;
  }

  /** A record that may have further addresses where it has a main one. */
  function fullRecord(): Addresses {
    const given = record();
    const further = (kind: "email" | "phone") =>
      given[kind] === undefined || random() < 0.6
        ? {}
        : { [`${kind}s`]: [one(values[kind].filter((value) => value !== given[kind]))] };
    return { ...given, ...further("email"), ...further("phone") };
  }

  async function create(): Promise<void> {
    const given = fullRecord();
    const made = model.create(given);
    const { status, body } = await calls.call(0, "POST", "leads", { ...given, source });
    if (made === undefined) {
      if (status !== 409) calls.fail(`the external id is taken, but the answer is ${status}`);
      return;
    }
    if (status !== 201) calls.fail(`${status} ${JSON.stringify(body)}`);
    made.id = body.id;
  }

  async function upsert(): Promise<void> {
    const given = record();
    const answer = model.upsert(given);
    const { status, body } = await calls.call(0, "PUT", "leads/upsert", { lead: { ...given, source } });
    const outcome = { 200: "updated or unchanged", 201: "created" }[status] ?? "failed";
    check(answer, { status, outcome, id: body.id ?? null, error: body.error ?? null });
  }

  /** Several records at once, each of which finds what the earlier ones wrote. */
  async function bulk(): Promise<void> {
    const items = Array.from({ length: one([1, 2, 3, 4]) }, record);
    const { body } = await calls.send(0, "POST", "leads/bulk", {
      op: "upsert",
      items: items.map((given) => ({ ...given, source })),
    });
    const results = body.results as Answered[];
    calls.tell(`= ${JSON.stringify(results)}`);
    for (const [i, given] of items.entries()) check(model.upsert(given), results[i] as Answered);
  }

  function check(answer: ModelAnswer, answered: Answered): void {
    const { id, error, outcome } = answered;
    if ("lead" in answer) {
      if (error !== null)
        calls.fail(`the answer is ${JSON.stringify(error)}, in the model ${answer.outcome}`);
      if (!outcome.includes(answer.outcome)) calls.fail(`it is ${outcome}, in the model ${answer.outcome}`);
      if (answer.outcome === "created") answer.lead.id = String(id);
      if (id !== answer.lead.id) calls.fail(`it is ${id}, in the model ${answer.lead.id}`);
      return;
    }
    const named = error?.details.filter(({ code }) => code === "candidate").map(({ message }) => message);
    same([error?.code, named?.sort()], [answer.outcome, answer.leads.map((lead) => lead.id).sort()]);
  }

  async function event(): Promise<void> {
    const kind = one(["external_id", "email", "phone"] as const);
    const value = one(values[kind]);
    const found = model.find(kind, value);
    const events = [{ type: "call.made", lead: { [kind]: value } }];
    const { body } = await calls.send(0, "POST", "events/batch", { events });
    const [{ lead_id, error }] = body.results;
    const code = ["not_found", null][found.length];
    same([error?.code ?? null, lead_id], [code === undefined ? "ambiguous" : code, only(found)]);
  }

  async function merge(alive: readonly ModelLead[]): Promise<void> {
    const winner = one(alive);
    const loser = one(alive.filter((lead) => lead !== winner));
    model.merge(winner, loser);
    await calls.send(0, "POST", `leads/${winner.id}/merge`, { with: loser.id });
  }

  async function remove(lead: ModelLead): Promise<void> {
    model.delete(lead);
    await calls.send(0, "DELETE", `leads/${lead.id}`);
  }

  async function compare(): Promise<void> {
    const filter = { field: "source", op: "eq", value: source };
    const answer = await key.send("POST", "/api/v1/leads/search", { filter, limit: 500 });
    const { leads } = (await answer.json()) as { leads: ModelLead[] };
    const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
    same(leads.map(contents).sort(byId), model.alive.map(contents).sort(byId));
  }

  function same(actual: unknown, wanted: unknown): void {
    const [is, should] = [JSON.stringify(actual), JSON.stringify(wanted)];
    if (is !== should) calls.fail(`the service has ${is}\nthe model has   ${should}`);
  }
}

const only = (leads: readonly ModelLead[]): string | null =>
  leads.length === 1 ? (leads[0]?.id ?? null) : null;
