import { bodyOf } from "../../api/support/v1.ts";
import type { KeyActor, World } from "../../world.ts";
import { isOpen } from "./model-changes.ts";
import { type RowChange, RowHistoryModel } from "./row-history-model.ts";
import { ToldCalls } from "./told-calls.ts";

const STEPS = 16;
const VALUES = { size: [null, 1, 2], note: [null, "x", "y"] } as const;
const EMPTY = { size: null, note: null };

/** Prepares a project for histories of rows: two keys as authors, and a dataset. */
export async function rowAuthors(the: World): Promise<KeyActor[]> {
  const author = () => the.key(["datasets:read", "datasets:write"]);
  const first = await author();
  const columns = [
    { key: "key", type: "text" },
    { key: "size", type: "integer" },
    { key: "note", type: "text" },
  ];
  const dataset = { key: "histories", name: "Histories", columns, key_column: "key" };
  await bodyOf(await first.send("POST", "/api/v1/datasets", dataset), 201);
  return [first, await author()];
}

/** The same as `playHistory`, for the rows of a dataset. */
export async function playRowHistory(keys: readonly KeyActor[], seed: number): Promise<void> {
  const calls = new ToldCalls("rows", keys, seed);
  const { random, one } = calls;
  const send = calls.send.bind(calls);
  const fail = calls.fail.bind(calls);
  const model = new RowHistoryModel();
  const names = ["a", "b", "c"].map((name) => `${seed}-${name}`);
  for (let n = 0; n < STEPS; n += 1) await step();
  await compare();

  function cells(): Partial<Record<keyof typeof VALUES, string | number | null>> {
    const chosen = (Object.keys(VALUES) as (keyof typeof VALUES)[]).filter(() => random() < 0.6);
    return Object.fromEntries(chosen.map((name) => [name, one<string | number | null>(VALUES[name])]));
  }

  async function step(): Promise<void> {
    const author = one([0, 1]);
    const open = model.changes.filter(isOpen);
    const roll = random();
    if (roll < 0.45 && open.length > 0) return await undo(one(open));
    if (roll < 0.7 || model.alive.length === 0) return await upsert(author);
    if (roll < 0.82) return await remove(author);
    const row = one(model.alive);
    const free = names.filter((name) => model.holder(name) === undefined);
    const changed = { ...cells(), ...(random() < 0.4 && free.length > 0 ? { key: one(free) } : {}) };
    if (Object.keys(changed).length === 0) return;
    const change = model.begin(author);
    const { id } = await send(author, "PATCH", `datasets/histories/rows/${row.id}`, changed);
    model.set(change, row, changed);
    ended(change, id);
  }

  async function upsert(author: number): Promise<void> {
    const rows = names.filter(() => random() < 0.5).map((key) => ({ key, ...cells() }));
    if (rows.length === 0) return;
    const change = model.begin(author);
    const { id, body } = await send(author, "POST", "datasets/histories/rows/batch", {
      ...{ mode: "upsert", rows },
    });
    for (const [index, row] of rows.entries()) {
      const found = model.holder(row.key);
      if (found === undefined) model.create(change, body.results[index].id, { ...EMPTY, ...row });
      else model.set(change, found, row);
    }
    ended(change, id);
  }

  async function remove(author: number): Promise<void> {
    const rows = model.alive.filter(() => random() < 0.6);
    if (rows.length === 0) return;
    const change = model.begin(author);
    const ids = rows.map(({ id }) => id);
    const { id } = await send(author, "DELETE", "datasets/histories/rows", { ids });
    for (const row of rows) model.delete(change, row);
    ended(change, id);
  }

  async function undo(change: RowChange): Promise<void> {
    const { author } = change;
    const isAgain = change.undoneBy !== undefined;
    const expected = model.undo(change, model.begin(author, [change]));
    const { id, body } = await send(author, "POST", `changes/${change.id}/undo`, {});
    const wanted = JSON.stringify(expected.counts);
    calls.tell(`= ${JSON.stringify(body.counts)} ${id}`);
    if (JSON.stringify(body.counts) !== wanted) fail(`the model did ${wanted}`);
    if ((id !== null) !== expected.made) fail(`the undo is the change ${id}`);
    const { undoneBy } = change;
    if (isAgain && id !== null && id !== undoneBy?.id) fail(`the continued undo is not ${undoneBy?.id}`);
    if (!isAgain && undoneBy !== undefined) model.end(undoneBy, id ?? "");
  }

  function ended(change: RowChange, id: string | null): void {
    if (model.wrote(change) !== (id !== null)) fail(`the call answered the change ${id}`);
    if (id !== null) model.end(change, id);
  }

  async function compare(): Promise<void> {
    const filter = { field: "key", op: "in", value: names };
    const { body } = await send(0, "POST", "datasets/histories/query", { filter });
    const now = body.rows.map(({ _id, _version, key, size, note }: Record<string, unknown>) =>
      JSON.stringify([_id, _version, key, size ?? null, note ?? null]),
    );
    const wanted = model.alive.map(({ id, version, cells: own }) =>
      JSON.stringify([id, version, own?.key, own?.size, own?.note]),
    );
    if (now.sort().join("\n") !== wanted.sort().join("\n"))
      fail(["the rows are", ...now, "in the model", ...wanted].join("\n"));
  }
}
