import assert from "node:assert/strict";
import { test } from "node:test";
import { planOf, statementsOf } from "../../erasure/support/statements.ts";
import { settled } from "../../round-trips/count.ts";
import { world } from "../../world.ts";
import { bodyOf } from "../support/v1.ts";
import { leadOf, writer } from "../support/writing.ts";

/** Indexes in which an id or an identity is one place. */
const BY_KEY = ["lead_email", "lead_external", "lead_external_id", "lead_phone", "lead_pkey"];

test("events and a change find their leads by key, also in a project that PostgreSQL has no statistics of", async () => {
  await using the = await world();
  const key = await writer(the);
  await the.sql(
    `INSERT INTO store.lead (project_id, id, external_id, email, source)
     SELECT $1, 'lead_' || lpad(n::text, 26, '0'), 'crm-' || n, 'p' || n || '@example.org', 'fair' FROM generate_series(1, 20000) AS n`,
    [the.project.id],
  );
  const id = `lead_${"7".padStart(26, "0")}`;
  const type = "call.made";
  const events = [
    { lead_id: id, type },
    { lead: { external_id: "crm-8" }, type },
    { lead: { email: "P9@example.org" }, type },
  ];
  // the size of the project is read behind the answer to a first call
  await key.query({});
  await settled(the, the.project.id);
  const sent = await statementsOf(async () => {
    const { created } = await bodyOf<{ created: number }>(
      await key.send("POST", "/api/v1/events/batch", { events }),
    );
    assert.equal(created, 3);
    await leadOf(await key.send("PATCH", `/api/v1/leads/${id}`, { job_title: "Baker" }));
  });
  const parts = (await Promise.all(sent.map((each) => planOf(the, each)))).flat();
  const used = parts.filter((part) => part["Relation Name"] === "lead" && part["Index Name"] !== undefined);
  const names = new Set(used.map((part) => part["Index Name"]));
  assert.ok(used.length > 0);
  assert.deepEqual(
    [...names].filter((name) => !BY_KEY.includes(name ?? "")),
    [],
  );
  const whole = parts.filter((part) => part["Relation Name"] === "lead" && part["Node Type"] === "Seq Scan");
  assert.deepEqual(whole, []);
});
