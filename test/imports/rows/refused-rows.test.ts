import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { bodyOf } from "../../api/support/v1.ts";
import { world } from "../../world.ts";
import { leadsOf } from "../support/importing.ts";
import { acted, sums, uploaded } from "../support/uploading.ts";

test("a row that only the database refuses fails alone, in a dry run and a commit, and the others are imported", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const note = (i: number) => (i === 700 ? randomBytes(8_000).toString("hex") : `n${i}`);
  const rows = Array.from({ length: 1_200 }, (_, i) =>
    i === 700 ? `e3,Changed,2026-01-01,${note(i)}` : `e${i},Person ${i},2026-01-01,${note(i)}`,
  );
  const made = await uploaded(the, key, `external_id,name,at,note\n${rows.join("\n")}\n`);
  const mapping = {
    columns: { external_id: "external_id", name: "name", at: "last_touch" },
    events: [{ type: "note.made", title: "Note", key: "{note}", last: "last_touch" }],
  };
  await bodyOf(await key.send("PUT", `/api/v1/imports/${made.id}/mapping`, mapping));
  const dry = await acted(key, made.id, "dry-run");
  assert.deepEqual(sums(dry.dry_run ?? {}), [1_200, 1_199, 0, 0, 0, 1]);
  const done = await acted(key, made.id, "commit");
  assert.deepEqual([done.state, sums(done)], ["done", [1_200, 1_199, 0, 0, 0, 1]]);
  const { errors } = await bodyOf<{ errors: { row: number; errors: { code: string }[] }[] }>(
    await key.send("GET", `/api/v1/imports/${made.id}/errors`),
  );
  assert.deepEqual(
    errors.map(({ row, errors: [fault] }) => [row, fault?.code]),
    [[702, "refused"]],
  );
  const leads = await leadsOf(the);
  assert.deepEqual(
    [leads.length, leads.find((lead) => lead.external_id === "e3")?.name],
    [1_199, "Person 3"],
  );
});
