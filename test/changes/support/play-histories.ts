import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf } from "../../api/support/v1.ts";
import { acted, type ImportBody, uploaded } from "../../imports/support/uploading.ts";
import type { KeyActor, World } from "../../world.ts";
import { HistoryModel, type ModelChange, type ModelLead } from "./history-model.ts";
import { isOpen } from "./model-changes.ts";
import { ToldCalls } from "./told-calls.ts";

const STEPS = 14;
const LEADS = 3;

/** Few values, so that changes meet: `city` is an untracked field. */
const VALUES: Record<string, readonly unknown[]> = {
  status: ["new", "contacted", "lost"],
  score: [null, 1, 2],
  city: [null, "Natal", "Recife"],
  "custom.plan": [null, "a", "b"],
  tags: [[], ["x"], ["y"], ["x", "y"], ["y", "x", "z"]],
};

const EMPTY = { external_id: null, status: "new", score: null, city: null, "custom.plan": null, tags: [] };

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
export async function playHistory(the: World, keys: readonly KeyActor[], seed: number): Promise<void> {
  const calls = new ToldCalls("leads", keys, seed);
  const { random, one } = calls;
  const call = calls.call.bind(calls);
  const send = calls.send.bind(calls);
  const fail = calls.fail.bind(calls);
  const model = new HistoryModel();
  const source = `history ${seed}`;
  const fieldsOf = (names: readonly string[]) =>
    Object.fromEntries(names.map((name) => [name, one(VALUES[name] ?? [])]));
  const some = () => Object.keys(VALUES).filter(() => random() < 0.4);
  for (let n = 0; n < LEADS; n += 1) await create();
  for (let n = 0; n < STEPS; n += 1) await step();
  await compare();

  function freeId(): string | null {
    const own = ["a", "b", "c"].map((name) => `${seed}-${name}`);
    return one([null, ...own.filter((id) => model.holder(id) === undefined)]);
  }

  async function create(): Promise<void> {
    const author = one([0, 1]);
    const fields = { ...EMPTY, external_id: random() < 0.5 ? freeId() : null, ...fieldsOf(some()) };
    const change = model.begin(author);
    const made = await send(author, "POST", "leads", { ...asPatch(fields), source });
    model.create(change, made.body.id, fields);
    ended(change, made.id);
  }

  async function step(): Promise<void> {
    const author = one([0, 1]);
    const { alive } = model;
    const dead = model.leads.filter(
      ({ deleted, mergedInto, fields }) =>
        deleted && mergedInto === undefined && model.holder(fields.external_id) === undefined,
    );
    const roll = random();
    const open = model.changes.filter(isOpen);
    if (roll < 0.38 && open.length > 0) return await undo(one(open));
    if (roll < 0.42 && open.length > 0) return await undoSince(one(model.changes));
    if (dead.length > 0 && roll < 0.5) return await deletion(author, one(dead), false);
    if (roll < 0.52) return await imported(author);
    if (alive.length === 0) return await create();
    if (roll < 0.6) return await deletion(author, one(alive), true);
    if (roll < 0.66) return await event(author, one(alive));
    if (roll < 0.78) return await bulk(author, alive);
    if (roll < 0.83) return await upsert(author);
    if (roll < 0.88 && alive.length > 1) return await merge(author, alive);
    const lead = one(alive);
    const fields = { ...fieldsOf(some()), ...(random() < 0.3 ? { external_id: freeId() } : {}) };
    if (Object.keys(fields).length === 0) return;
    const change = model.begin(author);
    model.set(change, lead, fields);
    ended(change, (await send(author, "PATCH", `leads/${lead.id}`, asPatch(fields))).id);
  }

  /** Finds a lead by its external id, or creates it. */
  async function upsert(author: number): Promise<void> {
    const change = model.begin(author);
    const externalId = `${seed}-${one(["a", "b", "c"])}`;
    const fields = { external_id: externalId, ...fieldsOf(["status", ...some()]) };
    const found = model.found(externalId);
    if (found.leads.length > 1) return;
    const body = { match_on: ["external_id"], lead: { ...asPatch(fields), source } };
    const made = await send(author, "PUT", "leads/upsert", body);
    const [lead] = found.leads;
    // A lead that is found by way of a merged one keeps its own external id.
    const { external_id: _, ...others } = fields;
    if (lead === undefined) model.create(change, made.body.id, { ...EMPTY, ...fields });
    else model.set(change, lead, found.merged ? others : fields);
    ended(change, made.id);
  }

  async function merge(author: number, alive: readonly ModelLead[]): Promise<void> {
    const winner = one(alive);
    const loser = one(alive.filter((lead) => lead !== winner));
    const change = model.begin(author);
    const { id } = await send(author, "POST", `leads/${winner.id}/merge`, { with: loser.id });
    model.merge(change, winner, loser);
    ended(change, id);
  }

  /** A file that changes leads that have an external id, and creates others; an empty cell changes nothing. */
  async function imported(author: number): Promise<void> {
    const key = calls.key(author);
    const rows = ["a", "b", "c"]
      .map((name) => `${seed}-${name}`)
      .filter(() => random() < 0.6)
      .map((id) => ({ external_id: id, ...fieldsOf(["status", "score", "city"]) }));
    if (rows.length === 0) return;
    const columns = ["external_id", "status", "score", "city", "source"];
    const lines = rows.map((row) => columns.map((name) => ({ ...row, source })[name] ?? "").join(","));
    const file = [columns.join(","), ...lines].join("\n");
    calls.tell(`${author} imports ${file}`);
    const upload = await uploaded(the, key, file);
    const { state, change_id: id } = await acted(key, upload.id, "commit");
    if (state !== "done") fail(`the import is ${state}`);
    const change = model.begin(author, { isImport: true });
    for (const row of rows) {
      const filled = Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
      const found = model.holder(row.external_id);
      if (found !== undefined) model.set(change, found, filled);
      else {
        const filter = { field: "external_id", op: "eq", value: row.external_id };
        const { body } = await send(author, "POST", "leads/search", { filter });
        model.create(change, body.leads[0].id, { ...EMPTY, ...filled });
      }
    }
    ended(change, id);
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

  /** Undoes a change, or continues its undo; a merge also by its own address. */
  async function undo(change: ModelChange): Promise<void> {
    const [merge] = change.merges;
    const isMerge = change.merges.length === 1 && change.parts.length === 0 && merge?.did === "joined";
    const isOwn = isMerge && merge.of.change === change && random() < 0.4;
    const path = isOwn ? `merges/${await mergeOf(change)}/undo` : `changes/${change.id}/undo`;
    const isDry = !isOwn && random() < 0.3;
    const dry = isDry ? await call(change.author, "POST", path, { dry_run: true }) : undefined;
    const isAgain = change.undoneBy !== undefined;
    const made = model.begin(change.author, { undid: [change] });
    const expected = model.undo(change, made, change.isImport);
    const undone = change.undoneBy;
    const answer = await call(change.author, "POST", path, isOwn ? undefined : {});
    if (expected.counts === undefined) {
      if (answer.status !== 409) fail(`the undo answered ${answer.status}, the model refuses it`);
      if (dry !== undefined && dry.status !== 409) fail(`the dry run answered ${dry.status}`);
      return;
    }
    if (answer.status >= 300) fail(`${answer.status} ${JSON.stringify(answer.body)}`);
    const { id } = answer;
    const isChange = expected.made || change.isImport;
    if ((id !== null) !== isChange) fail(`the undo is the change ${id}`);
    if (!isOwn && answer.body.change_id !== id) fail(`the undo answered the change ${answer.body.change_id}`);
    if (isAgain && id !== null && id !== undone?.id)
      fail(`the continued undo is ${id} and not ${undone?.id}`);
    if (!isAgain && isChange && undone !== undefined) model.end(undone, id ?? "");
    if (dry !== undefined) same(dry.body.counts, expected.counts, "the dry run");
    if (change.isImport) {
      const { deleted = 0, restored = 0, left = 0 } = change.importUndo ?? {};
      return same(await endOf(change, id ?? ""), { deleted, restored, left }, "the undo of the import");
    }
    if (!isOwn) same(answer.body.counts, expected.counts, "the undo");
    await marks();
  }

  /** Undoes all that an author has done since a change. */
  async function undoSince(first: ModelChange): Promise<void> {
    const { author } = first;
    const { body } = await send(author, "GET", `changes/${first.id}?limit=1`);
    const mine = model.changes.filter((change) => change.author === author);
    const since = mine.slice(mine.indexOf(first)).reverse();
    const wanted = since.filter(
      ({ undid }) => undid.length === 0 || undid.some((each) => !since.includes(each)),
    );
    const fresh = wanted.filter(({ undoneBy }) => undoneBy === undefined);
    const by = fresh.length > 0 ? undefined : wanted.find(isOpen)?.undoneBy;
    const chosen = wanted.filter((change) => isOpen(change) && change.undoneBy === by);
    const left = wanted.filter((change) => isOpen(change) && change.undoneBy !== by);
    const call_ = { actor: body.actor.id, from: body.created_at };
    const dry =
      random() < 0.3 ? await send(author, "POST", "changes/undo", { ...call_, dry_run: true }) : undefined;
    const made = model.begin(author);
    const expected = model.undoMany(chosen, by ?? made);
    const answer = await send(author, "POST", "changes/undo", call_);
    for (const each of dry === undefined ? [answer] : [answer, dry]) {
      same(each.body.counts, expected.counts, "the undo of many");
      same(each.body.changes, chosen.length, "the changes");
      const refused = each.body.not_undone.map(({ change_id: id }: { change_id: string }) => id);
      same(refused.sort(), [...left, ...expected.refused].map(({ id }) => id).sort(), "what was not undone");
    }
    if ((answer.id !== null) !== expected.made) fail(`the undo of many is the change ${answer.id}`);
    if (by === undefined && expected.made) model.end(made, answer.id ?? "");
    await marks();
  }

  async function mergeOf(change: ModelChange): Promise<string> {
    return (await send(change.author, "GET", `changes/${change.id}?limit=1`)).body.about.merge_id;
  }

  /** Compares which changes are undone, by which, and what can be undone. */
  async function marks(): Promise<void> {
    const { body } = await send(0, "GET", "changes?limit=100");
    const found = new Map<string, Record<string, unknown>>(
      body.changes.map((change: Record<string, unknown>) => [String(change.id), change]),
    );
    for (const change of model.changes) {
      const shown = found.get(change.id);
      const { undoneBy } = change;
      const what = `${change.id} (undone by, open, kept)`;
      const kept = (shown?.counts as { kept?: number } | undefined)?.kept ?? 0;
      same(
        [shown?.undone_by, shown?.reversible, kept],
        [undoneBy?.id ?? null, isOpen(change), change.kept.length],
        what,
      );
    }
  }

  function same(actual: unknown, wanted: unknown, what: string): void {
    calls.tell(`= ${JSON.stringify(actual)}`);
    if (JSON.stringify(actual) !== JSON.stringify(wanted))
      fail(`${what}, in the model: ${JSON.stringify(wanted)}`);
  }

  /** Waits until the undo of an import has ended; returns what it did. */
  async function endOf({ author, id: of }: ModelChange, id: string): Promise<object> {
    for (;;) {
      const { body } = await call(author, "GET", `changes/${id}`);
      if (body.state === "running") await sleep(20);
      else {
        const { about } = (await call(author, "GET", `changes/${of}?limit=1`)).body;
        const imported = await calls.key(author).send("GET", `/api/v1/imports/${about.import_id}`);
        const { deleted, restored, left } = (await bodyOf<ImportBody>(imported)).undo ?? {};
        return { deleted, restored, left };
      }
    }
  }

  /** A call that changed nothing is no change. */
  function ended(change: ModelChange, id: string | null): void {
    if (model.wrote(change) !== (id !== null)) fail(`the call answered the change ${id}`);
    if (id !== null) model.end(change, id);
  }

  async function compare(): Promise<void> {
    const filter = { field: "source", op: "eq", value: source };
    const { body } = await send(0, "POST", "leads/search", { filter, limit: 100 });
    const found = new Map<string, Record<string, unknown>>(
      body.leads.map((lead: Record<string, unknown>) => [String(lead.id), lead]),
    );
    for (const lead of model.leads) {
      const now = found.get(lead.id);
      if ((now !== undefined) !== model.alive.includes(lead))
        fail(`${lead.id} is ${now === undefined ? "gone" : "there"}`);
      if (now === undefined) continue;
      const custom = now.custom as Record<string, unknown>;
      const shown = { ...now, "custom.plan": custom.plan ?? null } as Record<string, unknown>;
      for (const [field, value] of Object.entries(lead.fields))
        if (field !== "created_at" && JSON.stringify(shown[field]) !== JSON.stringify(value))
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
