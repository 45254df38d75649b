import assert from "node:assert/strict";
import { test } from "node:test";
import { migrate } from "../../../src/db/migrate.ts";
import { bodyOf } from "../../api/support/v1.ts";
import { world } from "../../world.ts";
import { type ImportBody, uploaded } from "../support/uploading.ts";

type WithSkipped = ImportBody & { skipped_columns: unknown[] };

const FILE = "0044_skipped_columns_of_before.sql";

test("an import from before the list of skipped columns gets the list that it would get today", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const { id } = await uploaded(
    the,
    key,
    "email,x,first,last,calls,note,blank\na@x.example,1,Ana,Lima,2,hi,\n",
  );
  const mapping = {
    columns: { email: "email" },
    set: { name: "{first} {last}" },
    events: [{ type: "call.made", title: "Call", key: "{email}", times: "calls", last: "last_touch" }],
  };
  const today = await bodyOf<WithSkipped>(await key.send("PUT", `/api/v1/imports/${id}/mapping`, mapping));
  assert.deepEqual(today.skipped_columns, [
    { name: "x", filled: 1 },
    { name: "note", filled: 1 },
  ]);
  await the.sql("UPDATE store.import SET skipped_columns = NULL");
  await the.sql("DELETE FROM leadgate.migration WHERE name = $1", [FILE]);
  assert.deepEqual(await migrate(the.databaseUrl, () => undefined), [FILE]);
  const after = await bodyOf<WithSkipped>(await key.send("GET", `/api/v1/imports/${id}`));
  assert.deepEqual(after.skipped_columns, today.skipped_columns);
});
