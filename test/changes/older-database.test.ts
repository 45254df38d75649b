import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { world } from "../world.ts";
import { insertAll, olderDatabase } from "./support/older-database.ts";

/** Rows of a database as it was before changes were kept, made through the API of that version. */
interface Fixture {
  key: string;
  project: string;
  leads: Record<"a" | "b" | "c" | "w" | "l", string>;
  imports: Record<"done" | "undone" | "rows", string>;
  merge: string;
  dataset: string;
  erased: string;
  tables: Record<string, object[]>;
}

const FIXTURE = new URL("support/before-changes.json", import.meta.url);
/** The rows as if they had been written today. */
const prepared =
  ({ tables }: Fixture) =>
  async (client: pg.Client): Promise<void> => {
    await insertAll(client, tables);
    await client.query("UPDATE store.import SET expires_at = now() + interval '20 days'");
    await client.query("UPDATE store.merge SET created_at = now() - interval '1 hour'");
  };

test("a database from before changes were kept is migrated: its imports and merges can be undone, and say what is kept", async () => {
  const fixture = JSON.parse(readFileSync(FIXTURE, "utf8")) as Fixture;
  await using the = await world({ env: { DATABASE_URL: await olderDatabase("0044", prepared(fixture)) } });
  const { leads, imports } = fixture;
  const send = async <T>(method: string, path: string, body?: object): Promise<T> => {
    const answer = await fetch(`${the.baseUrl}/api/v1/${path}`, {
      method,
      headers: { Authorization: `Bearer ${fixture.key}`, "Content-Type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path}: ${text}`);
    return JSON.parse(text) as T;
  };
  const ended = async (id: string) => {
    for (;;) {
      const record = await send<{ state: string; undo: object }>("GET", `imports/${id}`);
      if (record.state !== "undoing") return record;
      await sleep(20);
    }
  };
  const { changes } = await send<{ changes: { kind: string; reversible: boolean; counts: object }[] }>(
    "GET",
    "changes",
  );
  assert.deepEqual(changes.map(({ kind, reversible }) => `${kind} ${reversible}`).sort(), [
    // One is undone already, but for what its undo kept.
    "import true",
    "import true",
    "import true",
    "lead.merge true",
    "undo true",
  ]);
  const former = await send<{ leads: object[] }>("GET", `imports/${imports.undone}/kept`);
  assert.deepEqual(former.leads, [{ lead_id: leads.c, reason: "changed", fields: ["name"] }]);

  await send("POST", `imports/${imports.done}/undo`);
  assert.deepEqual((await ended(imports.done)).undo, { deleted: 1, restored: 1, left: 3 });
  const kept = await send<{ leads: { lead_id: string; reason: string; fields: string[] }[] }>(
    "GET",
    `imports/${imports.done}/kept`,
  );
  assert.deepEqual(kept.leads.map(({ reason, fields }) => `${reason} ${fields}`).sort(), [
    "changed ",
    "changed name",
    "has_events ",
  ]);
  const ana = await send<{ name: string; city: string; custom: object }>("GET", `leads/${leads.a}`);
  assert.deepEqual([ana.name, ana.city, ana.custom], ["Ana", "Natal", {}]);

  await send("POST", `imports/${imports.rows}/undo`);
  assert.deepEqual((await ended(imports.rows)).undo, { deleted: 1, restored: 1, left: 0 });
  const { rows } = await send<{ rows: { domain: string; size: number }[] }>(
    ...(["POST", `datasets/${fixture.dataset}/query`, {}] as const),
  );
  assert.deepEqual(
    rows.map(({ domain, size }) => [domain, size]),
    [["one.example", 1]],
  );

  await send("POST", `merges/${fixture.merge}/undo`);
  assert.equal((await send<{ city: string }>("GET", `leads/${leads.l}`)).city, "Recife");
  const feed = await send<{ events: { type: string; lead_id: string }[] }>("GET", "events?types=lead.erased");
  assert.deepEqual(
    feed.events.map(({ lead_id }) => lead_id),
    [fixture.erased],
  );
});
