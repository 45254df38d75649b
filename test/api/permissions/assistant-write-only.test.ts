import assert from "node:assert/strict";
import { test } from "node:test";
import { addLead } from "../../mcp/support/assistant.ts";
import { Caller } from "../../mcp/support/using.ts";
import { world } from "../../world.ts";

test("with mcp:write alone, create_lead gives one answer whether the lead is stored or not, unless it changes it", async () => {
  await using the = await world({ alone: true });
  const writer = await Caller.in(the, { scopes: ["mcp:write"] });
  const ana = { email: "ana@example.org", external_id: "crm-1", name: "Ana" };
  const id = await addLead(the, ana);
  for (const name of ["Bo", "Bo S."]) await addLead(the, { email: "bo@example.org", name });
  const answers = new Set<string>();
  for (const on_duplicate of ["fail", "return", undefined]) {
    for (const [place, lead] of [
      { email: "ANA@example.org", score: 5 },
      { external_id: "crm-1", score: 5 },
      { email: "bo@example.org", score: 5 },
      { email: `nobody-${on_duplicate}@example.org`, score: 5 },
      { name: "Unknown" },
    ].entries()) {
      const args = { lead, ...(on_duplicate === undefined ? {} : { on_duplicate }) };
      const answer = await writer.call("create_lead", args);
      answers.add(JSON.stringify(answer));
      assert.equal(answer.accepted, true, `${on_duplicate} ${place}`);
    }
  }
  assert.equal(answers.size, 1, [...answers].join("\n"));
  assert.deepEqual(
    await the.sql("SELECT email, score FROM store.lead WHERE email LIKE 'nobody%' ORDER BY id"),
    ["fail", "return", undefined].map((mode) => ({ email: `nobody-${mode}@example.org`, score: 5 })),
  );
  assert.deepEqual(await the.sql("SELECT version, score FROM store.lead WHERE id = $1", [id]), [
    { version: 1, score: null },
  ]);
  const update = await writer.call("create_lead", {
    lead: { email: ana.email, score: 5 },
    on_duplicate: "update",
  });
  assert.deepEqual([update.outcome, update.lead], ["updated", { id, version: 2 }]);
});
