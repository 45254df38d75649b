import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../../world.ts";
import { addLeads } from "../support/leads.ts";
import { bodyOf } from "../support/v1.ts";
import { writer } from "../support/writing.ts";

interface Page {
  leads: { id: string; name: string | null }[];
  page_info: { has_more: boolean; total: number | null };
}

test("a repeatedly requested page is never out of date, whatever changes a lead", async () => {
  await using the = await world();
  const key = await writer(the);
  const ids = await addLeads(
    the,
    Array.from({ length: 60 }, (_, i) => ({ name: `Lead ${i}`, status: "new", value: i })),
  );
  const [first = "", second = ""] = ids.toReversed();
  const queries = [{ limit: 50 }, { limit: 50, fields: ["name", "last_activity_at", "value"] }];
  const pages = () =>
    Promise.all(queries.map(async (query) => await bodyOf<Page>(await key.query(query as object))));
  const fresh = () =>
    Promise.all(
      queries.map(async (query) => await bodyOf<Page>(await key.send("POST", "/api/v1/leads/search", query))),
    );
  const change = (method: string, path: string, body?: object) => async () => {
    const { status } = await key.send(method, `/api/v1/leads${path}`, body);
    assert.ok(status < 300, `${method} ${path}: ${status}`);
  };
  const changes: (() => Promise<unknown>)[] = [
    async () => undefined,
    change("PATCH", `/${first}`, { name: "Ana" }),
    change("PATCH", `/${first}`, { name: "Bea" }),
    change("PATCH", `/${second}`, { value: 7.5 }),
    change("PATCH", `/${second}`, { tags: ["vip"] }),
    change("POST", `/${second}/events`, { type: "call.made", occurred_at: "2026-01-02T03:04:05Z" }),
    () => the.sql("UPDATE store.lead SET last_activity_at = now() WHERE id = $1", [first]),
    change("DELETE", `/${first}`),
    change("POST", `/${first}/restore`),
    change("POST", `/${first}/merge`, { with: second }),
    change("POST", "", { name: "Cy" }),
  ];
  for (const [at, act] of changes.entries()) {
    for (let again = 0; again < 3; again += 1) await pages();
    await act();
    for (let again = 0; again < 2; again += 1) {
      const [shown, right] = [await pages(), await fresh()];
      assert.deepEqual(
        shown.map(({ leads }) => leads),
        right.map(({ leads }) => leads),
        `after change ${at}`,
      );
      assert.deepEqual(
        shown.map(({ page_info }) => page_info.has_more),
        [true, true],
      );
    }
  }
});

test("a cached page is not shown to a key that is revoked, narrowed, or of another project", async () => {
  await using the = await world();
  await addLeads(the, [{ name: "Ana" }]);
  const key = await writer(the);
  const other = await the.newProject(the.person, "Other");
  const foreign = await the.key(["leads:read"], other.id);
  for (let again = 0; again < 3; again += 1) {
    assert.equal((await bodyOf<Page>(await key.query({}))).leads[0]?.name, "Ana");
    assert.deepEqual((await bodyOf<Page>(await foreign.query({ project_id: other.id }))).leads, []);
  }
  await the.sql("UPDATE store.api_key SET permissions = '{leads:write}' WHERE id = $1", [key.id]);
  assert.equal((await key.query({})).status, 403);
  await the.sql("UPDATE store.api_key SET revoked_at = now() WHERE id = $1", [key.id]);
  assert.equal((await key.query({})).status, 401);
});
