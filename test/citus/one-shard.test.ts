import assert from "node:assert/strict";
import { tour } from "../api/support/tour.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { logSent, waysOf } from "./plans.ts";
import { ON_CLUSTER } from "./pool.ts";

/** Statements for all projects, which only the operator's rounds and live readers send. */
const FOR_ALL = /\bstore\.|phone_to_read|leadgate_worker/;

large(
  "every statement of a tour through all endpoints that reads or writes a project goes to its shard alone",
  ON_CLUSTER,
  async () => {
    const sent = logSent();
    await using the = await world();
    await tour(the);
    const statements = [...sent.values()].filter(
      ({ text }) => /\bproject_id\b/.test(text) && !FOR_ALL.test(text),
    );
    const ways = await waysOf(the.databaseUrl, statements);
    const of = (way: string) => [...ways].filter(([, its]) => its === way).map(([text]) => text);
    assert.ok(of("one shard").length > 100, String(of("one shard").length));
    assert.deepEqual(of("several shards"), []);
    assert.deepEqual(of("several steps"), []);
  },
);
