import assert from "node:assert/strict";
import pg from "pg";
import { addLeads } from "../api/support/leads.ts";
import { StreamReader } from "../api/support/stream.ts";
import { bodyOf } from "../api/support/v1.ts";
import { writer } from "../api/support/writing.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { everyNode } from "./every-node.ts";
import { ON_CLUSTER } from "./pool.ts";

large(
  "a transaction of another database that was prepared and has not ended holds no feed back, one of ours does",
  ON_CLUSTER,
  async () => {
    await using the = await world();
    const key = await writer(the);
    const [lead = ""] = await addLeads(the, [{}]);
    const whilePrepared = async (database: string | undefined, look: () => Promise<void>) => {
      const url = new URL(the.databaseUrl);
      if (database !== undefined) url.pathname = database;
      const client = new pg.Client(url.href);
      await client.connect();
      const gid = `test_${process.pid}_${Date.now()}`;
      await client.query(`BEGIN; SELECT pg_current_xact_id(); PREPARE TRANSACTION '${gid}'`);
      try {
        await look();
      } finally {
        await client.query(`ROLLBACK PREPARED '${gid}'`);
        await client.end();
      }
    };
    const call = async () =>
      await bodyOf<{ id: string }>(
        await key.send("POST", `/api/v1/leads/${lead}/events`, { type: "call.made" }),
        201,
      );
    const seen = async () => {
      const page = await bodyOf<{ events: { id: string }[] }>(await key.send("GET", "/api/v1/events"));
      return page.events.map(({ id }) => id);
    };
    const ids: string[] = [];
    await whilePrepared("postgres", async () => {
      ids.push((await call()).id);
      assert.deepEqual((await seen()).slice(-1), ids);
    });
    await whilePrepared(undefined, async () => {
      ids.push((await call()).id);
      assert.deepEqual((await seen()).slice(-1), ids.slice(0, 1));
    });
    assert.deepEqual((await seen()).slice(-2), ids);
  },
);

large(
  "a reader who follows a feed misses nothing that the coordinator has committed and a node has not yet",
  ON_CLUSTER,
  async () => {
    await using the = await world();
    const key = await writer(the);
    const leads = await addLeads(the, [{}, {}]);
    const nodes = await everyNode(the);
    const eachNode = async (...settings: string[]) => {
      for (const text of [...settings, "SELECT pg_reload_conf()"]) await nodes.query(text);
    };
    const page = async (cursor: string) =>
      await bodyOf<{ events: { id: string }[]; next_cursor: string; has_more: boolean }>(
        await key.send("GET", `/api/v1/events?limit=500${cursor && `&cursor=${encodeURIComponent(cursor)}`}`),
      );
    const stream = await StreamReader.open(`${the.baseUrl}/api/v1/events/stream`, {
      Authorization: `Bearer ${key.text}`,
    });
    // A node waits so long before each commit, also that of what was prepared.
    await eachNode("ALTER SYSTEM SET commit_siblings = 0", "ALTER SYSTEM SET commit_delay = 60000");
    try {
      const paged: string[] = [];
      let [cursor, writes] = ["", true];
      const following = (async () => {
        for (let isLast = false; !isLast; ) {
          isLast = !writes;
          const { events, next_cursor } = await page(cursor);
          paged.push(...events.map(({ id }) => id));
          cursor = next_cursor;
        }
      })();
      for (let n = 1; n <= 15; n += 1) {
        const items = leads.map((id) => ({ id }));
        await bodyOf(await key.send("POST", "/api/v1/leads/bulk", { op: "set", set: { score: n }, items }));
      }
      writes = false;
      await following;
      const { events } = await page("");
      assert.equal(events.length, 30);
      assert.deepEqual(
        paged,
        events.map(({ id }) => id),
        "pages",
      );
      const streamed = (await stream.events(30)).map(({ id }) => id);
      assert.deepEqual(streamed, paged, "the stream");
    } finally {
      stream.close();
      await eachNode("ALTER SYSTEM RESET commit_delay", "ALTER SYSTEM RESET commit_siblings");
      await nodes.end();
    }
  },
);
