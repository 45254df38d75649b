import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf, writer } from "../api/support/writing.ts";
import { world } from "../world.ts";

interface ChangeBody {
  id: string;
  kind: string;
  about: { op?: string; fields?: string[] };
  counts: Record<string, number>;
  lead_id: string | null;
  lead_name: string | null;
  reversible: boolean;
  may_undo: boolean;
  records: {
    kind: string;
    id: string;
    outcome: string;
    changes: { field: string; from: unknown; to: unknown }[];
  }[];
  next_cursor: string | null;
}

test("every write is a change, which its answer names and the list has, newest first", async () => {
  await using the = await world();
  const key = await writer(the);
  const made = await key.send("POST", "/api/v1/leads", { name: "Ana", email: "ana@example.org" });
  const created = made.headers.get("x-leadgate-change");
  const { id } = await leadOf(made, 201);
  const patched = await key.send("PATCH", `/api/v1/leads/${id}`, { status: "contacted", score: 7 });
  await patched.text();
  const same = await key.send("PATCH", `/api/v1/leads/${id}`, { status: "contacted" });
  await same.text();
  assert.equal(same.headers.get("x-leadgate-change"), null);
  const { changes } = await bodyOf<{ changes: ChangeBody[] }>(await key.send("GET", "/api/v1/changes"));
  assert.deepEqual(
    changes.map((change) => [change.id, change.kind, change.counts, change.about.fields]),
    [
      [patched.headers.get("x-leadgate-change"), "lead.update", { leads_updated: 1 }, ["score", "status"]],
      [created, "lead.create", { leads_created: 1 }, ["email", "name"]],
    ],
  );
  const detail = await bodyOf<ChangeBody>(await key.send("GET", `/api/v1/changes/${changes[0]?.id}`));
  assert.deepEqual(detail.records, [
    {
      ...{ kind: "lead", id, dataset_id: null, name: "Ana", outcome: "updated", events: 0, kept: [] },
      changes: [
        { field: "score", from: null, to: 7 },
        { field: "status", from: "new", to: "contacted" },
      ],
    },
  ]);
});
