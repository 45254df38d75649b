import assert from "node:assert/strict";
import { test } from "node:test";
import { addLead } from "../../mcp/support/assistant.ts";
import { Caller } from "../../mcp/support/using.ts";
import { type KeyActor, world } from "../../world.ts";
import { idsOf, pageOf } from "../support/leads.ts";
import { bodyOf } from "../support/v1.ts";
import { leadOf, writer } from "../support/writing.ts";

/** Ways to write +55 11 91609-7776. */
const WRITTEN = [
  "(11) 91609-7776",
  "91609-7776",
  "+55 11 91609-7776",
  "+5511916097776",
  "5511916097776",
  "11916097776",
  "11.91609.7776",
  "11 91609 7776",
  "(11)91609-7776",
  "(11)\u00a091609\u20117776",
  "+55 (11) 91609-7776",
  "+55 (0)11 91609-7776",
  "011 91609-7776",
  "0055 11 91609-7776",
  "00 55 (11) 91609-7776",
  "6097776",
  "+55 11 91609",
];

/** Ways in which a lead can have the number. */
const STORED: Record<string, unknown>[] = [
  { phone: "(11) 91609-7776" },
  { phone: "+55 11 91609-7776" },
  { phone: "011 91609.7776" },
  { phone: "0055 11 91609-7776" },
  { phone: "+5511916097776" },
  { phones: ["(11) 91609-7776"] },
  { phones: ["+1 415 555 2671", "0055 11 91609 7776"] },
];

const found = async (key: KeyActor, search: string): Promise<unknown[]> =>
  idsOf(await pageOf(await key.query({ search, limit: 100 }))).sort();

for (const country of ["BR", null]) {
  test(`a phone number is found however it and the lead's are written, in a project ${country === null ? "without a country" : `of ${country}`}`, async () => {
    await using the = await world();
    await the.sql("UPDATE store.project SET default_country = $1", [country]);
    const key = await writer(the);
    const ids: string[] = [];
    for (const lead of STORED)
      ids.push((await leadOf(await key.send("POST", "/api/v1/leads", { ...lead, name: "Maria" }), 201)).id);
    for (const phone of ["(21) 91609-7776", "+44 20 7946 0958", "11 91609-7777"])
      await leadOf(await key.send("POST", "/api/v1/leads", { phone, name: "Maria" }), 201);
    ids.sort();
    for (const search of WRITTEN) {
      const other = ["91609-7776", "6097776"].includes(search) ? 1 : 0;
      const some = await found(key, search);
      // Without the area code another lead has the number, and a part of a number is not completed.
      if (search === "+55 11 91609") assert.ok(some.length > 0, search);
      else
        assert.deepEqual(
          some.filter((id) => ids.includes(String(id))),
          ids,
          search,
        );
      if (search !== "+55 11 91609") assert.equal(some.length, ids.length + other, search);
      assert.deepEqual(await found(key, `Maria ${search}`), some, search);
      assert.deepEqual(await found(key, `${search} maria`), some, search);
      assert.deepEqual(await found(key, `Nobody ${search}`), [], search);
    }
    assert.deepEqual(await found(key, "(12) 91609-7776"), []);
  });
}

test("a number with its area code finds no other number that its area code as a country code would make", async () => {
  await using the = await world({ alone: true });
  const key = await writer(the);
  const add = async (lead: object) => (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;
  const wanted = await add({ phone: "(11) 99999-1234" });
  const wantedToo = await add({ phone: "(51) 98765-4321" });
  for (const phone of ["(19) 99991-2345", "(19) 9999-1234", "98765-4321", "(98) 76543-2199"])
    await add({ phone });
  for (const country of ["BR", null]) {
    await the.sql("UPDATE store.project SET default_country = $1", [country]);
    for (const search of ["(11) 99999-1234", "11999991234", "+55 11 99999-1234"])
      assert.deepEqual(await found(key, search), [wanted], search);
  }
  await the.sql("UPDATE store.project SET default_country = 'BR'");
  for (const search of ["(51) 98765-4321", "51987654321"])
    assert.deepEqual(await found(key, search), [wantedToo], search);
});

test("a search for a year, an order's number or a date finds what contains it, as without phone numbers", async () => {
  await using the = await world();
  const key = await writer(the);
  const add = async (lead: object) => (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;
  const year = await add({ name: "Fair 2024" });
  const order = await add({ name: "Order 4711-2024-0001", company: "Acme" });
  const email = await add({ email: "20240101@example.org" });
  const day = await add({ company: "Since 2024-01-31" });
  const both = await add({ name: "Order 12345678", phone: "+55 11 91609-7776" });
  assert.deepEqual(await found(key, "2024"), [year, order, email, day].sort());
  assert.deepEqual(await found(key, "4711-2024-0001"), [order]);
  assert.deepEqual(await found(key, "4711-2024-0001 acme"), [order]);
  assert.deepEqual(await found(key, "20240101"), [email]);
  assert.deepEqual(await found(key, "2024-01-31"), [day]);
  assert.deepEqual(await found(key, "12345678 91609-7776"), [both]);
  assert.deepEqual(await found(key, "%_ 91609-7776"), []);
});

test("every search finds a phone number: queries, pages by cursor, counts, exports, saved views and assistants", async () => {
  await using the = await world();
  const key = await writer(the);
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Maria", phone: "+55 11 91609-7776", phones: ["(21) 3456-7890"] });
  await addLead(the, { name: "Maria", phone: "+55 11 91609-7777" });
  for (const search of ["maria 91609-7776", "maria 021 3456 7890"]) {
    assert.deepEqual(await found(key, search), [id]);
    const sent = async <T>(path: string, body: object) =>
      await bodyOf<T>(await key.send("POST", `/api/v1/leads/${path}`, body));
    const page = await sent<{ leads: { id: string }[] }>("search", { search });
    assert.deepEqual(
      page.leads.map((lead) => lead.id),
      [id],
    );
    assert.equal((await sent<{ count: number }>("count", { search })).count, 1);
    const file = await key.send("POST", "/api/leads/export/", {
      project_id: the.project.id,
      search,
      columns: ["id"],
      format: "csv",
    });
    assert.match(await file.text(), new RegExp(`^\\W*id\\W+${id}\\W*$`));
    const { results } = await caller.call("search", { query: search });
    assert.deepEqual(
      (results as { id: string }[]).map((each) => each.id),
      [id],
    );
    const view = await bodyOf<{ id: string }>(
      await key.send("POST", "/api/v1/views", { name: search, query: { search } }),
      201,
    );
    assert.deepEqual(idsOf(await pageOf(await key.query({ filter: { view: view.id } }))), [id]);
  }
});

test("a page of a phone search that is asked for again shows the lead that got the number since", async () => {
  await using the = await world();
  const key = await writer(the);
  const id = await addLead(the, { name: "Maria", phones: ["(21) 3456-7890"] });
  const search = "21 3456-7890";
  for (let again = 0; again < 3; again += 1) assert.deepEqual(await found(key, search), [id]);
  await leadOf(await key.send("PATCH", `/api/v1/leads/${id}`, { phones: [] }));
  assert.deepEqual(await found(key, search), []);
  await leadOf(await key.send("PATCH", `/api/v1/leads/${id}`, { phone: "021 34567890" }));
  assert.deepEqual(await found(key, search), [id]);
});
