import assert from "node:assert/strict";
import type { KeyActor, World } from "../../world.ts";
import { HistoryModel, type ModelChange, type ModelLead } from "./history-model.ts";

const STEPS = 14;
const LEADS = 3;

/** A small generator of random numbers with a seed (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Few values, so that changes meet: `city` is an untracked field. */
const VALUES: Record<string, readonly unknown[]> = {
  status: ["new", "contacted", "lost"],
  score: [null, 1, 2],
  city: [null, "Natal", "Recife"],
  "custom.plan": [null, "a", "b"],
  tags: [[], ["x"], ["y"], ["x", "y"], ["y", "x", "z"]],
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
 * Plays a random history of changes and undos against the service and the model; throws where they differ. The seed
 * decides everything.
 */
export async function playHistory(keys: readonly KeyActor[], seed: number): Promise<void> {
  const random = randomOf(seed);
  const one = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const model = new HistoryModel();
  const told: string[] = [`seed ${seed}`];
  const fail = (what: string): never => assert.fail([...told, what].join("\n"));
  const send = async (author: number, method: string, path: string, body?: object) => {
    told.push(`${author} ${method} ${path} ${JSON.stringify(body ?? null)}`);
    const answer = await (keys[author] as KeyActor).send(method, `/api/v1/${path}`, body);
    const text = await answer.text();
    if (!answer.ok) fail(`${answer.status} ${text}`);
    return { id: answer.headers.get("x-leadgate-change"), body: text === "" ? {} : JSON.parse(text) };
  };
  const fieldsOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, one(VALUES[name] ?? [])]));
  const some = () => Object.keys(VALUES).filter(() => random() < 0.4);
  for (let n = 0; n < LEADS; n += 1) await create();
  for (let n = 0; n < STEPS; n += 1) await step();
  await compare();

  async function create(): Promise<void> {
    const author = one([0, 1]);
    const fields = {
      status: "new",
      score: null,
      city: null,
      "custom.plan": null,
      tags: [],
      ...fieldsOf(some()),
    };
    const change = model.begin(author);
    const made = await send(author, "POST", "leads", { ...asPatch(fields), source: `history ${seed}` });
    model.create(change, made.body.id, fields);
    ended(change, made.id);
  }

  async function step(): Promise<void> {
    const author = one([0, 1]);
    const alive = model.leads.filter(({ deleted }) => !deleted);
    const dead = model.leads.filter(({ deleted }) => deleted);
    const roll = random();
    const open = model.changes.filter(({ undoneBy }) => undoneBy === undefined);
    if (roll < 0.42 && open.length > 0) return await undo(one(open));
    if (dead.length > 0 && roll < 0.5) return await deletion(author, one(dead), false);
    if (alive.length === 0) return await create();
    if (roll < 0.6) return await deletion(author, one(alive), true);
    if (roll < 0.68) return await event(author, one(alive));
    if (roll < 0.82) return await bulk(author, alive);
    const lead = one(alive);
    const fields = fieldsOf(some());
    if (Object.keys(fields).length === 0) return;
    const change = model.begin(author);
    model.set(change, lead, fields);
    ended(change, (await send(author, "PATCH", `leads/${lead.id}`, asPatch(fields))).id);
  }

  /** Some leads at once, by one change. */
  async function bulk(author: number, alive: readonly ModelLead[]): Promise<void> {
    const leads = alive.filter(() => random() < 0.7);
    if (leads.length === 0) return;
    const change = model.begin(author);
    const items = leads.map(({ id }) => ({ id }));
    if (random() < 0.5) {
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
    const fields = fieldsOf(["status", ...some()]);
    for (const lead of leads) model.set(change, lead, fields);
    ended(change, (await send(author, "POST", "leads/bulk", { op: "set", set: asPatch(fields), items })).id);
  }

  async function deletion(author: number, lead: ModelLead, deleted: boolean): Promise<void> {
    const change = model.begin(author);
    model.delete(change, lead, deleted);
    const [method, path] = deleted ? ["DELETE", ""] : ["POST", "/restore"];
    ended(change, (await send(author, method, `leads/${lead.id}${path}`)).id);
  }

  async function event(author: number, lead: ModelLead): Promise<void> {
    const change = model.begin(author);
    model.event(change, lead);
    ended(change, (await send(author, "POST", `leads/${lead.id}/events`, { type: "call.made" })).id);
  }

  async function undo(change: ModelChange): Promise<void> {
    const made = model.begin(change.author, change);
    const dry =
      random() < 0.3
        ? await send(change.author, "POST", `changes/${change.id}/undo`, { dry_run: true })
        : undefined;
    const expected = model.undo(change, made);
    const { id, body } = await send(change.author, "POST", `changes/${change.id}/undo`, {});
    if (JSON.stringify(body.counts) !== JSON.stringify(expected.counts))
      fail(`the undo did ${JSON.stringify(body.counts)}, the model ${JSON.stringify(expected.counts)}`);
    if (dry !== undefined && JSON.stringify(dry.body.counts) !== JSON.stringify(expected.counts))
      fail(
        `the dry run said ${JSON.stringify(dry.body.counts)}, the model ${JSON.stringify(expected.counts)}`,
      );
    if ((id !== null) !== expected.made || id !== body.change_id) fail(`the undo answered the change ${id}`);
    if (expected.made) model.end(made, id ?? "");
    told.push(`= ${JSON.stringify(expected.counts)} ${id}`);
  }

  /** A call that changed nothing is no change. */
  function ended(change: ModelChange, id: string | null): void {
    const wrote = model.leads.some(({ log }) => log.some((entry) => entry.change === change));
    if (wrote !== (id !== null)) fail(`the call answered the change ${id}`);
    if (id !== null) model.end(change, id);
  }

  async function compare(): Promise<void> {
    const filter = { field: "source", op: "eq", value: `history ${seed}` };
    const { body } = await send(0, "POST", "leads/search", { filter, limit: 100 });
    const found = new Map<string, Record<string, unknown>>(
      body.leads.map((lead: Record<string, unknown>) => [String(lead.id), lead]),
    );
    for (const lead of model.leads) {
      const now = found.get(lead.id);
      if ((now === undefined) !== lead.deleted)
        fail(`${lead.id} is ${now === undefined ? "deleted" : "there"}`);
      if (now === undefined) continue;
      const custom = now.custom as Record<string, unknown>;
      const shown = { ...now, "custom.plan": custom.plan ?? null } as Record<string, unknown>;
      for (const [field, value] of Object.entries(lead.fields))
        if (JSON.stringify(shown[field]) !== JSON.stringify(value))
          fail(
            `${lead.id}: ${field} is ${JSON.stringify(shown[field])}, in the model ${JSON.stringify(value)}`,
          );
      const { body: page } = await send(0, "GET", `leads/${lead.id}/events?types=call.made`);
      const events = lead.log.filter(({ what }) => what === "event").length;
      if (page.events.length !== events)
        fail(`${lead.id} has ${page.events.length} events, in the model ${events}`);
    }
  }
}

/** Fields as the API takes them. */
function asPatch({ "custom.plan": plan, ...fields }: Record<string, unknown>): Record<string, unknown> {
  return plan === undefined ? fields : { ...fields, custom: { plan } };
}
