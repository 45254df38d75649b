import assert from "node:assert/strict";
import { test } from "node:test";
import { importText } from "../../imports/support/importing.ts";
import { world } from "../../world.ts";
import { bodyOf, refusalOf } from "../support/v1.ts";

interface Lead {
  id: string;
  deleted_at: string | null;
}

interface Events {
  events: { id: string; type: string; source: string; data: { field?: string } }[];
  next_cursor: string | null;
}

test("a deleted lead is returned only on request, and an erased one never", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const { id } = await bodyOf<Lead>(await key.send("POST", "/api/v1/leads", { name: "Lia" }), 201);
  const address = `/api/v1/leads/${id}`;
  assert.equal((await bodyOf<Lead>(await key.send("GET", `${address}?deleted=true`))).deleted_at, null);
  assert.equal((await key.send("DELETE", address)).status, 204);
  assert.equal((await refusalOf(await key.send("GET", address))).code, "not_found");
  assert.equal((await refusalOf(await key.send("GET", `${address}?deleted=false`))).status, 404);
  assert.notEqual((await bodyOf<Lead>(await key.send("GET", `${address}?deleted=true`))).deleted_at, null);
  assert.equal((await key.send("GET", `/api/leads/${id}/?deleted=true`)).status, 400);
  const other = await the.newProject(await the.newPerson());
  const stranger = await the.key(["leads:read"], other.id);
  assert.equal((await stranger.send("GET", `${address}?deleted=true`)).status, 404);
  await the.sql("DELETE FROM store.lead WHERE id = $1", [id]);
  assert.equal((await key.send("GET", `${address}?deleted=true`)).status, 404);
});

test("a timeline is asked by source, by who did it, and for the history of one field, page by page", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const { id } = await bodyOf<Lead>(await key.send("POST", "/api/v1/leads", { name: "Lia" }), 201);
  for (const score of [1, 2, 3])
    await key.send("PATCH", `/api/v1/leads/${id}`, { score, city: `City ${score}` });
  await key.send("POST", `/api/v1/leads/${id}/events`, {
    type: "call.made",
    source: "dialer",
    data: { field: "score" },
  });
  const ask = async (query: string) =>
    await bodyOf<Events>(await key.send("GET", `/api/v1/leads/${id}/events?${query}`));
  assert.deepEqual(
    (await ask("source=dialer")).events.map(({ type }) => type),
    ["call.made"],
  );
  assert.equal((await ask(`actor=${key.id}`)).events.length, 8);
  assert.equal((await ask("actor=per_nobody")).events.length, 0);
  const first = await ask("field=score&limit=2");
  assert.deepEqual(
    first.events.map(({ data }) => data.field),
    ["score", "score"],
  );
  const cursor = encodeURIComponent(String(first.next_cursor));
  const second = await ask(`field=score&limit=2&cursor=${cursor}`);
  assert.equal(second.events.length, 1);
  assert.equal(second.next_cursor, null);
  const elsewhere = await key.send("GET", `/api/v1/leads/${id}/events?field=city&limit=2&cursor=${cursor}`);
  assert.equal(elsewhere.status, 400);
});

test("changes are titled by what people call the field, however they were made", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  await bodyOf(await key.send("POST", "/api/v1/fields", { key: "plan", label: "Tariff", type: "text" }), 201);
  const body = { external_id: "a", job_title: "Buyer", custom: { plan: "free" } };
  const { id } = await bodyOf<Lead>(await key.send("POST", "/api/v1/leads", body), 201);
  await key.send("PATCH", `/api/v1/leads/${id}`, { job_title: "Head of buying", custom: { plan: "pro" } });
  await importText(the, "external_id,owner_id,job_title,custom.plan\na,,Director,team\n");
  const titles = async (type: string) =>
    (
      await bodyOf<{ events: { title: string }[] }>(
        await key.send("GET", `/api/v1/leads/${id}/events?types=${type}`),
      )
    ).events.map(({ title }) => title);
  assert.deepEqual((await titles("lead.updated")).toSorted(), [
    "Job title changed",
    "Job title changed",
    "Tariff changed",
    "Tariff changed",
  ]);
  await key.send("DELETE", `/api/v1/leads/${id}`);
  await key.send("POST", `/api/v1/leads/${id}/restore`);
  assert.deepEqual(await titles("lead.restored"), ["Lead restored"]);
});

test("groups of duplicates show their oldest leads, without deleted or merged ones", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const make = async (lead: object) =>
    (await bodyOf<Lead>(await key.send("POST", "/api/v1/leads", lead), 201)).id;
  const ids = [];
  for (const email of ["ana@example.org", "ANA@example.org", "ana@Example.org"])
    ids.push(await make({ email }));
  await make({ email: "bia@example.org" });
  const groups = async (query: string) =>
    (
      await bodyOf<{ groups: { count: number; leads: Lead[] }[] }>(
        await key.send("GET", `/api/v1/leads/duplicates?${query}`),
      )
    ).groups.map(({ count, leads }) => [count, leads.map((lead) => lead.id)]);
  assert.deepEqual(await groups("by=email"), [[3, ids]]);
  assert.deepEqual(await groups("by=phone"), []);
  await key.send("POST", `/api/v1/leads/${ids[0]}/merge`, { with: ids[1] });
  assert.deepEqual(await groups("by=email&limit=5"), [[2, [ids[0], ids[2]]]]);
  await key.send("DELETE", `/api/v1/leads/${ids[2]}`);
  assert.deepEqual(await groups("by=email"), []);
  assert.equal((await refusalOf(await key.send("GET", "/api/v1/leads/duplicates"))).status, 400);
});

test("groups of duplicates, and the duplicates of a lead, are returned page by page to the end", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write", "schema:write"]);
  const items = Array.from({ length: 7 }, (_, n) =>
    Array.from({ length: 2 + (n % 3) }, () => ({
      name: "Ana Prado",
      company: "Acme",
      email: `ana-${n}@example.org`,
    })),
  ).flat();
  await bodyOf(await key.send("POST", "/api/v1/leads/bulk", { op: "create", items }));
  const pages = async <Item>(path: string, name: string): Promise<Item[][]> => {
    const told: Item[][] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const more: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = await bodyOf<Record<string, Item[]> & { next_cursor: string | null }>(
        await key.send("GET", `${path}${more}`),
      );
      told.push(page[name] ?? []);
      cursor = page.next_cursor;
    }
    return told;
  };
  const groups = await pages<{ count: number; leads: (Lead & { email: string })[] }>(
    "/api/v1/leads/duplicates?by=email&limit=3",
    "groups",
  );
  assert.deepEqual(
    groups.map((page) => page.length),
    [3, 3, 1],
  );
  assert.deepEqual(
    groups.flat().map(({ count, leads }) => [count, leads[0]?.email]),
    [2, 5, 1, 4, 0, 3, 6].map((n) => [2 + (n % 3), `ana-${n}@example.org`]),
  );
  const [[everybody]] = (await pages<{ count: number; leads: Lead[] }>(
    "/api/v1/leads/duplicates?by=name_and_company&limit=1",
    "groups",
  )) as [[{ count: number; leads: Lead[] }]];
  assert.equal(everybody.count, items.length);
  const id = everybody.leads[0]?.id;
  const found = await pages<{ lead: Lead }>(`/api/v1/leads/${id}/duplicates?limit=4`, "duplicates");
  const ids = found.flat().map(({ lead }) => lead.id);
  assert.deepEqual(
    found.map((page) => page.length),
    [4, 4, 4, 4, 3],
  );
  assert.deepEqual([ids.length, new Set(ids).size], [items.length - 1, items.length - 1]);
  const elsewhere = await key.send("GET", "/api/v1/leads/duplicates?by=email&limit=3");
  const { next_cursor: cursor } = await bodyOf<{ next_cursor: string }>(elsewhere);
  const other = await refusalOf(await key.send("GET", `/api/v1/leads/duplicates?by=phone&cursor=${cursor}`));
  assert.deepEqual([other.status, other.code], [400, "bad_cursor"]);
});

test("members are named for owner_id, by name and without their addresses", async () => {
  await using the = await world();
  const bia = await the.newPerson("Bia");
  await the.join(bia, the.project.id, "viewer");
  const key = await the.key(["leads:read"]);
  const { members } = await bodyOf<{ members: object[] }>(await key.send("GET", "/api/v1/members"));
  assert.deepEqual(members, [
    { id: the.person.id, name: the.person.name, role: "owner" },
    { id: bia.id, name: "Bia", role: "viewer" },
  ]);
});
