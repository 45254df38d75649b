import assert from "node:assert/strict";
import { bodyOf } from "../../api/support/v1.ts";
import { IdentityModel } from "../../identity/support/model.ts";
import type { KeyActor, World } from "../../world.ts";
import type { ModelChange, ModelLead } from "./history-model.ts";
import { isOpen } from "./model-changes.ts";
import { identifying } from "./play-records.ts";
import { undosOf } from "./play-undos.ts";
import { asPatch, EMPTY, type Fields, RandomRecords } from "./random-records.ts";
import { ToldCalls } from "./told-calls.ts";

const STEPS = 14;
const LEADS = 3;

/** How often each step is made. */
type Mix = Partial<Record<Step, number>>;

type Step =
  | "create"
  | "patch"
  | "bulkSet"
  | "upsert"
  | "bulkUpsert"
  | "imported"
  | "merge"
  | "remove"
  | "restore"
  | "event"
  | "eventOf"
  | "undo"
  | "undoSince";

const ALL: Mix = {
  ...{ create: 3, patch: 10, bulkSet: 7, upsert: 11, bulkUpsert: 7, imported: 3, merge: 7 },
  ...{ remove: 7, restore: 6, event: 3, eventOf: 4, undo: 30, undoSince: 4 },
};

/** What decides whom records are about. */
export const IDENTITIES: Mix = {
  create: 20,
  upsert: 30,
  bulkUpsert: 15,
  eventOf: 10,
  merge: 10,
  remove: 10,
  patch: 5,
};

/** Prepares a project for histories: two keys as authors. */
export async function authors(the: World): Promise<KeyActor[]> {
  const admin = await the.key(["leads:read", "leads:write", "schema:write"]);
  const field = { key: "plan", label: "Plan", type: "text" };
  assert.equal((await admin.send("POST", "/api/v1/fields", field)).status, 201);
  assert.equal((await admin.send("PUT", "/api/v1/quiet-fields", { fields: ["city"] })).status, 200);
  return [admin, await the.key(["leads:read", "leads:write"])];
}

/**
 * Plays a random history of records, changes and undos against the service and the model; throws where they differ. The seed
 * decides everything. No other history may have the same keys at the same time, for an undo of all that an author did would
 * take it back.
 */
export async function playHistory(
  the: World,
  keys: readonly KeyActor[],
  seed: number,
  mix: Mix = ALL,
): Promise<void> {
  const calls = new ToldCalls("leads", keys, seed);
  const { one } = calls;
  const call = calls.call.bind(calls);
  const send = calls.send.bind(calls);
  const fail = calls.fail.bind(calls);
  const model = new IdentityModel();
  const records = new RandomRecords(calls, seed);
  const { is } = records;
  const source = `history ${seed}`;
  const undos = undosOf(calls, model);
  const { refused, ...found } = identifying({ the, calls, model, records, source, ended });
  const steps: Record<Step, (author: number) => Promise<void>> = {
    ...{ ...found, create, patch, bulkSet, merge, restore, event },
    remove: (author) => deletion(author, one(model.alive), true),
    undo: () => withOpen((open) => undos.undo(one(open))),
    undoSince: () => withOpen(() => undos.undoSince(one(model.changes))),
  };
  for (let n = 0; n < LEADS; n += 1) await create(one([0, 1]));
  for (let n = 0; n < STEPS; n += 1) {
    await step();
    await compare();
  }
  await compareEvents();

  async function step(): Promise<void> {
    const author = one([0, 1]);
    const all = Object.entries(mix) as [Step, number][];
    const chosen = one(all.flatMap(([name, weight]) => Array<Step>(weight).fill(name)));
    await steps[model.alive.length === 0 && !chosen.startsWith("undo") ? "create" : chosen](author);
  }

  async function withOpen(act: (open: readonly ModelChange[]) => Promise<void>): Promise<void> {
    const open = model.changes.filter(isOpen);
    if (open.length > 0) await act(open);
  }

  async function create(author: number): Promise<void> {
    const fields = { ...EMPTY, ...(is(0.7) ? records.full() : {}), ...records.some() };
    const change = model.begin(author);
    const holder = model.holder(fields.external_id);
    const answer = await call(author, "POST", "leads", { ...asPatch(fields), source });
    if (holder !== undefined) return refused(answer, "external_id_taken", [holder]);
    const { id } = written(answer).body;
    model.create(change, id, fields);
    ended(change, answer.id);
  }

  async function patch(author: number): Promise<void> {
    const lead = one(model.alive);
    const fields: Fields = { ...records.some(), ...records.patch() };
    if (Object.keys(fields).length === 0) return;
    const holder = model.holder(fields.external_id);
    const change = model.begin(author);
    const answer = await call(author, "PATCH", `leads/${lead.id}`, asPatch(fields));
    if (holder !== undefined && holder !== lead) return refused(answer, "external_id_taken", [holder]);
    model.set(change, lead, fields);
    ended(change, written(answer).id);
  }

  function written<Answer extends { status: number; body: unknown }>(answer: Answer): Answer {
    if (answer.status >= 300) fail(`${answer.status} ${JSON.stringify(answer.body)}`);
    return answer;
  }

  async function merge(author: number): Promise<void> {
    const { alive } = model;
    const winner = one(alive);
    const loser = one(alive.filter((lead) => lead !== winner));
    if (loser === undefined) return;
    const change = model.begin(author);
    const prefer = is(0.75) ? "this" : "other";
    const { id } = await send(author, "POST", `leads/${winner.id}/merge`, { with: loser.id, prefer });
    model.merge(change, winner, loser, prefer);
    ended(change, id);
  }

  /** Some leads at once, by one change. */
  async function bulkSet(author: number): Promise<void> {
    const leads = model.alive.filter(() => is(0.7));
    if (leads.length === 0) return;
    const change = model.begin(author);
    const items = leads.map(({ id }) => ({ id }));
    if (is(0.5)) {
      const [op, tag] = [one(["tag_add", "tag_remove"] as const), one(["x", "y", "z"])];
      for (const lead of leads) {
        const tags = lead.fields.tags as string[];
        const rest = tags.filter((each) => each !== tag);
        model.set(change, lead, {
          tags: op === "tag_remove" ? rest : tags.includes(tag) ? tags : [...tags, tag],
        });
      }
      return ended(change, (await send(author, "POST", "leads/bulk", { op, tags: [tag], items })).id);
    }
    const fields = records.some("status");
    for (const lead of leads) model.set(change, lead, fields);
    ended(change, (await send(author, "POST", "leads/bulk", { op: "set", set: asPatch(fields), items })).id);
  }

  async function deletion(author: number, lead: ModelLead, deleted: boolean): Promise<void> {
    const change = model.begin(author);
    model.delete(change, lead, deleted);
    const [method, path] = deleted ? ["DELETE", ""] : ["POST", "/restore"];
    ended(change, (await send(author, method, `leads/${lead.id}${path}`)).id);
  }

  async function restore(author: number): Promise<void> {
    const dead = model.leads.filter(
      ({ deleted, mergedInto, fields }) =>
        deleted && mergedInto === undefined && model.holder(fields.external_id) === undefined,
    );
    if (dead.length > 0) await deletion(author, one(dead), false);
  }

  async function event(author: number): Promise<void> {
    const lead = one(model.alive);
    const change = model.begin(author);
    model.event(change, lead);
    ended(change, (await send(author, "POST", `leads/${lead.id}/events`, { type: "call.made" })).id);
  }

  /** A call that changed nothing is no change. */
  function ended(change: ModelChange, id: string | null): void {
    if (model.wrote(change) !== (id !== null)) fail(`the call answered the change ${id}`);
    if (id !== null) model.end(change, id);
  }

  /** Compares the leads that callers see. Those that an import created are known by what they have. */
  async function compare(): Promise<void> {
    const filter = { field: "source", op: "eq", value: source };
    const { leads } = await bodyOf<{ leads: Fields[] }>(
      await calls.key(0).send("POST", "/api/v1/leads/search", { filter, limit: 500 }),
    );
    const known = new Set(model.leads.map(({ id }) => id));
    const shown = new Map(leads.map((lead) => [String(lead.id), JSON.stringify(contents(lead))]));
    for (const lead of model.leads.filter(({ id }) => id === "")) {
      const own = JSON.stringify(contents({ ...lead.fields, custom: { plan: lead.fields["custom.plan"] } }));
      const [id] = [...shown].find(([each, has]) => !known.has(each) && has === own) ?? [];
      if (id === undefined) return fail(`the model has ${own}, the service ${JSON.stringify([...shown])}`);
      lead.id = id;
      known.add(id);
    }
    const wanted = model.alive.map(({ id, fields }) => [
      id,
      JSON.stringify(contents({ ...fields, custom: { plan: fields["custom.plan"] } })),
    ]);
    calls.same([...shown].sort(), wanted.sort());
  }

  async function compareEvents(): Promise<void> {
    for (const lead of model.alive) {
      const { body } = await send(0, "GET", `leads/${lead.id}/events?types=call.made`);
      const events = lead.log.filter(({ what }) => what === "event").length;
      if (body.events.length !== events)
        fail(`${lead.id} has ${body.events.length} events, in the model ${events}`);
    }
  }
}

/** What of a lead is compared. */
const contents = ({ custom, ...lead }: Fields): Fields => {
  const names = Object.keys(EMPTY).filter((name) => name !== "custom.plan");
  const plan = (custom as Fields | undefined)?.plan ?? null;
  return { ...Object.fromEntries(names.map((name) => [name, lead[name]])), plan };
};
