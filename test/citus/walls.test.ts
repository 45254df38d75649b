import assert from "node:assert/strict";
import { serviceDoor } from "../../src/db/pool/project-door.ts";
import { keyDoor } from "../../src/domain/tenancy/key-door.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { ON_CLUSTER } from "./pool.ts";

const REFUSED = /multi-task query about to be executed/;
const NOT_ONE_SHARD = /multi-task query|requires repartitioning|not supported/;

large(
  "a statement that forgets its project is refused, behind a door and before it",
  ON_CLUSTER,
  async () => {
    await using the = await world({ alone: true });
    const own = the.service.db.behind(serviceDoor(the.project.id));
    for (const text of [
      "SELECT count(*) FROM lead",
      "SELECT id FROM lead WHERE id = 'lead_1'",
      "UPDATE lead SET name = 'x'",
      "DELETE FROM event",
      "SELECT l.id FROM lead l JOIN event e ON e.lead_id = l.id WHERE e.project_id = 'prj_1' OR l.project_id = 'prj_2'",
    ]) {
      await assert.rejects(own.query(text), NOT_ONE_SHARD, text);
      await assert.rejects(
        own.transaction((tx) => tx.query(text)),
        NOT_ONE_SHARD,
        text,
      );
    }
    await assert.rejects(the.service.db.query("SELECT count(*) FROM lead"), REFUSED);
    assert.deepEqual(
      await own.query("SELECT count(*)::integer AS count FROM lead WHERE project_id = $1", [the.project.id]),
      [{ count: 0 }],
    );
  },
);

large("work behind a closed door never runs, though it names another project", async () => {
  await using the = await world();
  const other = await the.newProject(the.person, "Other");
  const { id } = await the.key(["leads:read"]);
  const door = keyDoor({ projectId: the.project.id, id, hash: Buffer.alloc(32) }, { any: ["leads:read"] });
  const write = "INSERT INTO custom_field (project_id, key, label, type) VALUES ($1, 'x', 'x', 'text')";
  for (const projectId of [the.project.id, other.id]) {
    await assert.rejects(the.service.db.behind(door).query(write, [projectId]), /invalid_key|unknown/i);
    await assert.rejects(
      the.service.db.behind(door).transaction((tx) => tx.query(write, [projectId])),
      /invalid_key|unknown/i,
    );
  }
  assert.deepEqual(
    await the.sql("SELECT key FROM store.custom_field WHERE project_id = ANY ($1)", [
      [the.project.id, other.id],
    ]),
    [],
  );
});
