import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";

interface Shown {
  id: string;
  status_since?: string;
  created_at: string;
}

test("a lead reports since when it has its status: from its timeline, otherwise since its creation", async () => {
  await using the = await world({ alone: true });
  const key = await the.key(["leads:read", "leads:write"]);
  const create = async () =>
    (await (await key.send("POST", "/api/v1/leads", { name: "Lia", status: "new" })).json()) as Shown;
  const [moved, still] = [await create(), await create()];
  const patch = async (body: object) =>
    assert.equal((await key.send("PATCH", `/api/v1/leads/${moved.id}`, body)).status, 200);
  await patch({ status: "won" });
  await patch({ status: "contacted" });
  await patch({ name: "Lia Prado" });
  const [event] = await the.sql<{ at: string }>(
    "SELECT to_json(occurred_at) #>> '{}' AS at FROM store.event WHERE data ->> 'to' = 'contacted'",
  );
  const read = async (id: string) =>
    (await (await key.send("GET", `/api/v1/leads/${id}?include=status_since`)).json()) as Shown;
  assert.equal(Date.parse((await read(moved.id)).status_since ?? ""), Date.parse(event?.at ?? ""));
  assert.equal((await read(still.id)).status_since, still.created_at);
  for (const path of ["/api/v1/leads/search", "/api/leads/query/"]) {
    const body = {
      include: ["status_since"],
      fields: ["name"],
      ...(path.includes("v1") ? {} : { project_id: the.project.id }),
    };
    const { leads } = (await (await key.send("POST", path, body)).json()) as { leads: Shown[] };
    assert.deepEqual(
      leads.map(({ id, status_since: since }) => [id, Date.parse(since ?? "")]),
      [
        [still.id, Date.parse(still.created_at)],
        [moved.id, Date.parse(event?.at ?? "")],
      ],
    );
  }
  const without = (await (await key.send("POST", "/api/v1/leads/search", {})).json()) as { leads: Shown[] };
  assert.ok(without.leads.every((lead) => !Object.hasOwn(lead, "status_since")));
  const wrong = await key.send("POST", "/api/v1/leads/search", { include: ["status_sinc"] });
  assert.equal(wrong.status, 400);
});
