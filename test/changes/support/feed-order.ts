import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { bodyOf } from "../../api/support/v1.ts";
import type { KeyActor, World } from "../../world.ts";

/** An event as the feed tells it. */
interface ToldEvent {
  id: string;
  lead_id: string;
  type: string;
  merged_from: string | null;
  version: number | null;
  change_id: string | null;
  changes: { field: string; from: unknown; to: unknown }[];
}

/** Returns all that the feed tells, read page by page. */
async function wholeFeed(key: KeyActor, limit = 500): Promise<ToldEvent[]> {
  const events: ToldEvent[] = [];
  for (let cursor = ""; ; ) {
    const page = await bodyOf<{ events: ToldEvent[]; next_cursor: string; has_more: boolean }>(
      await key.send("GET", `/api/v1/events?limit=${limit}${cursor}`),
    );
    events.push(...page.events);
    cursor = `&cursor=${encodeURIComponent(page.next_cursor)}`;
    if (!page.has_more) return events;
  }
}

/** Returns where a feed breaks its promises about a lead: each change starts from the one before, and versions never go back. */
function faultsOf(events: readonly ToldEvent[]): string[] {
  const faults: string[] = [];
  const leads = new Map<string, { version: number; values: Map<string, unknown>; gone: string | null }>();
  for (const { id, lead_id, merged_from, type, version, changes } of events) {
    const name = merged_from ?? lead_id;
    const lead = leads.get(name) ?? { version: 0, values: new Map(), gone: null };
    leads.set(name, lead);
    const say = (fault: string) => faults.push(`${id} ${type} of ${name}: ${fault}`);
    if (version === null) say("has no version");
    else if (version < lead.version) say(`has version ${version} behind ${lead.version}`);
    else lead.version = version;
    for (const { field, from, to } of changes) {
      const known = lead.values.get(field) ?? null;
      if (lead.values.has(field) && !isDeepStrictEqual(known, from))
        say(
          `${field} was ${JSON.stringify(known)}, is told as ${JSON.stringify(from)} -> ${JSON.stringify(to)}`,
        );
      lead.values.set(field, to);
    }
  }
  return faults;
}

/** Returns the leads whose stored values are not those of their last events. */
async function strayedFrom(the: World, events: readonly ToldEvent[]): Promise<string[]> {
  const last = new Map<string, Map<string, unknown>>();
  for (const { lead_id, merged_from, changes } of events)
    for (const { field, to } of changes) {
      const name = merged_from ?? lead_id;
      last.set(name, (last.get(name) ?? new Map()).set(field, to));
    }
  const told = (id: string) =>
    JSON.stringify(events.filter(({ lead_id, merged_from }) => (merged_from ?? lead_id) === id).slice(-12));
  const rows = await the.sql<{ id: string; lead: Record<string, unknown> }>(
    "SELECT id, to_jsonb(lead) AS lead FROM store.lead WHERE project_id = $1",
    [the.project.id],
  );
  return rows.flatMap(({ id, lead }) =>
    [...(last.get(id) ?? [])].flatMap(([field, to]) => {
      const { custom } = lead as { custom: Record<string, unknown> };
      const stored = (field.startsWith("custom.") ? custom[field.slice(7)] : lead[field]) ?? null;
      return isDeepStrictEqual(stored, to)
        ? []
        : [
            `${id}.${field} of version ${lead.version} is ${JSON.stringify(stored)}, not ${JSON.stringify(to)}, after ${told(id)}`,
          ];
    }),
  );
}

/** How long the feed may wait for transactions of others, such as a look at statistics: it ends before the oldest that is running. */
const BEHIND_MS = 10_000;

/** Reads the whole feed, which must keep its promises, also in small pages; returns it. */
export async function mustBeInOrder(the: World, key: KeyActor): Promise<ToldEvent[]> {
  let events = await wholeFeed(key);
  for (const until = Date.now() + BEHIND_MS; Date.now() < until; events = await wholeFeed(key)) {
    if ((await strayedFrom(the, events)).length === 0) break;
    await sleep(20);
  }
  assert.deepEqual([...faultsOf(events), ...(await strayedFrom(the, events))], []);
  assert.deepEqual((await wholeFeed(key, 7)).map(idOf), events.map(idOf));
  return events;
}

export const idOf = ({ id }: { id: string }): string => id;
