import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { addLeads } from "../../api/support/leads.ts";
import { bodyOf } from "../../api/support/v1.ts";
import { Chance } from "../../chaos/random.ts";
import { ended, uploaded } from "../../imports/support/uploading.ts";
import type { KeyActor, World } from "../../world.ts";

const WRITERS = 8;
const LEADS = 5;

/**
 * Plays rounds of eight writers at once over few leads: changes, bulk calls, tags, events, deletions, merges, imports, and undos of
 * all these. Refusals are part of it, but not failures of the service.
 */
export async function raceWriters(the: World, key: KeyActor, rounds: number, seed: number): Promise<void> {
  const chance = new Chance(seed);
  const few = <T>(list: readonly T[], count: number): T[] =>
    list
      .map((each) => ({ each, by: chance.part() }))
      .sort((a, b) => a.by - b.by)
      .slice(0, count)
      .map(({ each }) => each);
  const names = Array.from({ length: LEADS }, (_, i) => `e${i}`);
  const ids = await addLeads(
    the,
    names.map((external_id) => ({ external_id, name: external_id })),
  );
  const changes: string[] = [];
  let value = 0;
  const call = async (method: string, path: string, body?: unknown) => {
    const response = await key.send(method, path, body);
    const text = await response.text();
    assert.ok(response.status < 500, `${method} ${path}: ${response.status} ${text}`);
    const change = response.headers.get("x-leadgate-change");
    if (change !== null) changes.push(change);
    return response;
  };
  const some = () => few(ids, chance.between(2, LEADS));
  const next = () => {
    value += 1;
    return {
      city: `c${value}`,
      ...(chance.isOneIn(3) ? { score: value % 100 } : {}),
      ...(chance.isOneIn(3) ? { company: `k${value}` } : {}),
    };
  };
  const bulk = (body: object) => call("POST", "/api/v1/leads/bulk", body);
  const items = () => some().map((id) => ({ id }));
  const kinds: (() => Promise<unknown>)[] = [
    ...Array.from({ length: 6 }, () => () => call("PATCH", `/api/v1/leads/${chance.of(ids)}`, next())),
    () => bulk({ op: "set", set: next(), items: items() }),
    () => bulk({ op: "set", set: next(), items: items() }),
    () => bulk({ op: "tag_add", tags: [`t${chance.between(0, 3)}`], items: items() }),
    () => bulk({ op: "tag_remove", tags: [`t${chance.between(0, 3)}`], items: items() }),
    () =>
      bulk({
        op: "upsert",
        match_on: "external_id",
        items: few(names, 3).map((external_id) => ({ external_id, ...next() })),
      }),
    () => call("POST", `/api/v1/leads/${chance.of(ids)}/events`, { type: "call.made" }),
    () =>
      call("POST", "/api/v1/events/batch", {
        events: some().map((lead_id) => ({ lead_id, type: "call.made" })),
      }),
    () => call("DELETE", `/api/v1/leads/${chance.of(ids)}`),
    () => call("POST", `/api/v1/leads/${chance.of(ids)}/restore`),
    () => bulk({ op: "restore", items: ids.map((id) => ({ id })) }),
    async () => {
      const [id, other] = few(ids, 2);
      await call("POST", `/api/v1/leads/${id}/merge`, { with: other });
    },
    ...Array.from({ length: 4 }, () => async () => {
      const change = changes.at(-chance.between(1, 12));
      if (change !== undefined) await call("POST", `/api/v1/changes/${change}/undo`, {});
    }),
    async () => {
      const rows = few(names, 3).map((external_id) => `${external_id},${next().city}\n`);
      const { id } = await uploaded(the, key, `external_id,city\n${rows.join("")}`);
      await bodyOf(
        await key.send("PUT", `/api/v1/imports/${id}/mapping`, {
          columns: { external_id: "external_id", city: "city" },
        }),
      );
      await call("POST", `/api/v1/imports/${id}/commit`);
      assert.equal((await ended(key, id)).state, "done");
    },
  ];
  for (let round = 0; round < rounds; round += 1)
    await Promise.all(
      Array.from({ length: WRITERS }, async () => {
        await sleep(chance.between(0, 2));
        await chance.of(kinds)();
      }),
    );
}
