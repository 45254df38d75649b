import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { type KeyActor, world } from "../world.ts";
import { leadOf, type Record_, writer } from "./support/writing.ts";

interface FeedEvent {
  lead_id: string;
  type: string;
  data: Record<string, unknown>;
}

interface Page {
  events: FeedEvent[];
  next_cursor: string;
  has_more: boolean;
}

const json = async <T>(response: Response): Promise<T> => {
  const text = await response.text();
  assert.ok(response.ok, text);
  return JSON.parse(text) as T;
};

/** All leads of the project, page by page. */
async function allLeads(key: KeyActor, onPage: () => void = () => undefined): Promise<Map<string, Record_>> {
  const leads = new Map<string, Record_>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const body = { limit: 10, ...(cursor === undefined ? {} : { cursor }) };
    const page = await json<{ leads: Record_[]; next_cursor: string | null }>(
      await key.send("POST", "/api/v1/leads/search", body),
    );
    for (const lead of page.leads) leads.set(lead.id, lead);
    cursor = page.next_cursor;
    onPage();
  }
  return leads;
}

/** Reads a lead of the feed again, as the documentation says: one that is gone is deleted from the mirror. */
async function follow(key: KeyActor, mirror: Map<string, Record_>, { type, lead_id, data }: FeedEvent) {
  const ids = type === "lead.merged" ? [lead_id, String(data.lead_id)] : [lead_id];
  for (const id of ids) {
    const answer = await key.send("GET", `/api/v1/leads/${id}`);
    if (answer.status === 404) mirror.delete(id);
    else mirror.set(id, await leadOf(answer));
  }
}

/** Writes of every kind, again and again, until it is told to stop. */
async function busy(
  key: KeyActor,
  leads: readonly Record_[],
  seed: number,
  stop: AbortSignal,
): Promise<number> {
  const send = async (...args: Parameters<KeyActor["send"]>) => await (await key.send(...args)).text();
  let writes = 0;
  for (let n = seed; !stop.aborted; n += 7) {
    const at = (i: number) => `/api/v1/leads/${leads[i % leads.length]?.id}`;
    const created_at = `20${10 + (n % 10)}-01-01T00:00:00Z`;
    await send("POST", "/api/v1/leads", { name: `new ${n}`, ...(n % 2 === 0 ? { created_at } : {}) });
    await send("PATCH", at(n), { score: n });
    await send("DELETE", at(n + 1));
    if (n % 3 === 0) await send("POST", `${at(n + 1)}/restore`);
    const merged = await send("POST", `${at(n + 2)}/merge`, { with: leads[(n + 3) % leads.length]?.id });
    const { merge_id } = JSON.parse(merged) as { merge_id?: string };
    if (merge_id !== undefined && n % 2 === 0) await send("POST", `/api/v1/merges/${merge_id}/undo`);
    await send("PUT", "/api/v1/leads/upsert", { lead: { external_id: `crm-${n % 5}`, company: `c${n}` } });
    writes += 1;
  }
  return writes;
}

test("a mirror made from the feed's cursor, all leads, then the feed from that cursor equals the project, whatever is written meanwhile", async () => {
  await using the = await world();
  const key = await writer(the);
  const items = Array.from({ length: 120 }, (_, i) => ({ name: `lead ${i}` }));
  await json(await key.send("POST", "/api/v1/leads/bulk", { op: "create", items }));
  const leads = [...(await allLeads(key)).values()];
  const stop = new AbortController();
  const writers = [1, 2, 3].map((seed) => busy(key, leads, seed, stop.signal));

  let { next_cursor: cursor } = await json<Page>(await key.send("GET", "/api/v1/events?since=now"));
  const mirror = await allLeads(key);
  // The writers go on while the mirror follows the feed.
  let events = 0;
  let last: string | undefined;
  for (let isOver = false; !isOver; ) {
    const page = await json<Page>(
      await key.send("GET", `/api/v1/events?limit=50&cursor=${encodeURIComponent(cursor)}`),
    );
    for (const event of page.events) await follow(key, mirror, event);
    cursor = page.next_cursor;
    events += page.events.length;
    if (events > 200 && last === undefined) {
      stop.abort();
      const writes = await Promise.all(writers);
      assert.ok(writes.every((count) => count > 0));
      last = (await leadOf(await key.send("POST", "/api/v1/leads", { name: "the last one" }), 201)).id;
    }
    isOver = last !== undefined && mirror.has(last);
    if (!page.has_more && !isOver) await sleep(10);
  }
  const stored = await allLeads(key);
  assert.ok(stored.size > 50, "the writers left something");
  assert.deepEqual([...mirror.keys()].sort(), [...stored.keys()].sort());
  for (const [id, lead] of stored) assert.deepEqual(mirror.get(id), lead);
});
