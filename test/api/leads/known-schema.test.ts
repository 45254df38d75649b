import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";

// What a process knows of a project's fields and statuses is changed here by others, as by another instance.

test("a write is read with the present fields, statuses, members and country of its project, whoever changed them", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write"]);
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'plan', 'Plan', 'text')",
    [the.project.id],
  );
  const writes: [method: string, path: (id: string) => string, body: (lead: object) => object][] = [
    ["PATCH", (id) => `/api/v1/leads/${id}`, (lead) => lead],
    ["POST", () => "/api/v1/leads", (lead) => ({ name: "Ana", ...lead })],
    [
      "PUT",
      () => "/api/v1/leads/upsert",
      (lead) => ({ match_on: "email", lead: { email: "ana@bench.example", ...lead } }),
    ],
  ];
  const created = await key.send("POST", "/api/v1/leads", { name: "Ana", phone: "030 12345678" });
  const { id } = (await created.json()) as { id: string };
  for (const [method, path, body] of writes) {
    const write = async (lead: object) => {
      const answer = await key.send(method, path(id), body(lead));
      const { phone_e164 } = (await answer.json()) as { phone_e164?: string | null };
      return { status: answer.status, phone_e164 };
    };
    const isWritten = async (lead: object) => {
      const { status } = await write(lead);
      assert.ok(status === 200 || status === 201, `${method} ${JSON.stringify(lead)}: ${status}`);
    };
    const isRefused = async (lead: object) => assert.equal((await write(lead)).status, 422, method);

    await isWritten({ custom: { plan: "gold" }, status: "won" });
    await the.sql("UPDATE store.custom_field SET type = 'integer' WHERE key = 'plan'");
    await isRefused({ custom: { plan: "gold" } });
    await the.sql("UPDATE store.custom_field SET type = 'text' WHERE key = 'plan'");
    await isWritten({ custom: { plan: "silver" } });

    await the.sql("UPDATE store.project SET statuses = array_remove(statuses, 'won') WHERE project_id = $1", [
      the.project.id,
    ]);
    await isRefused({ status: "won" });
    await the.sql("UPDATE store.project SET statuses = statuses || '{won}' WHERE project_id = $1", [
      the.project.id,
    ]);
    await isWritten({ status: "won" });

    await the.sql("UPDATE store.project SET default_country = 'DE' WHERE project_id = $1", [the.project.id]);
    const german = await write({ phone: "030 1234567" });
    assert.equal(german.phone_e164, "+49301234567", method);
    await the.sql("UPDATE store.project SET default_country = NULL WHERE project_id = $1", [the.project.id]);
    const unknown = await write({ phone: "030 1234567", job_title: "Chief" });
    assert.equal(unknown.phone_e164, null, method);

    const bo = await the.newPerson("Bo");
    await isRefused({ owner_id: bo.id });
    await the.sql("INSERT INTO membership (person_id, project_id, role) VALUES ($1, $2, 'editor')", [
      bo.id,
      the.project.id,
    ]);
    await isWritten({ owner_id: bo.id });
  }
});
