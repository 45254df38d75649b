import assert from "node:assert/strict";
import { test } from "node:test";
import { addLeads } from "../api/support/leads.ts";
import { world } from "../world.ts";
import { bodyOf, found, keeper, make, written } from "./support/dataset.ts";

test("rows of a merged lead belong to the surviving lead, over any number of merges, and return with the undo", async () => {
  await using the = await world();
  const key = await keeper(the);
  await make(key);
  await written(key, [
    { domain: "a", name: "a", contact: "ana@x.org", employees: 1 },
    { domain: "b", name: "b", contact: "bob@x.org", employees: 2 },
    { domain: "c", name: "c", contact: "cy@x.org", employees: 3 },
  ]);
  await make(key, {
    key: "ids",
    columns: [{ key: "lead", type: "text" }],
    lead_link: { column: "lead", match: "lead_id" },
  });
  const one = async (email: string) => (await addLeads(the, [{ email }]))[0] ?? "";
  const [ana, bob, cy, eve] = [
    await one("ana@x.org"),
    await one("bob@x.org"),
    await one("cy@x.org"),
    await one("e@x.org"),
  ];
  await written(key, [{ lead: bob }], "insert", "ids");
  const finds = async (dataset: object) =>
    (await bodyOf<{ leads: { id: string }[] }>(await key.query({ filter: { dataset } }))).leads
      .map(({ id }) => id)
      .sort();
  const asked = (where?: object, count?: object) => ({
    key: "companies",
    ...(where && { where }),
    ...(count && { count }),
  });
  const employees = (value: number) => ({ field: "employees", op: "eq", value });
  const shown = async (id: string) =>
    (
      await bodyOf<{ datasets: { companies: { rows: { name: string }[] } } }>(
        await key.send("GET", `/api/v1/leads/${id}?include=datasets.companies`),
      )
    ).datasets.companies.rows
      .map(({ name }) => name)
      .sort();
  const meant = async () =>
    (await found(key, { sort: [{ field: "domain" }] })).rows.map(({ _lead_id }) => _lead_id);
  const merge = async (winner: string, loser: string) =>
    (
      await bodyOf<{ merge_id: string }>(
        await key.send("POST", `/api/v1/leads/${winner}/merge`, { with: loser }),
      )
    ).merge_id;
  const first = await merge(ana, bob);
  assert.deepEqual([await finds(asked(employees(2))), await shown(ana)], [[ana], ["a", "b"]]);
  const second = await merge(cy, ana);
  assert.deepEqual(await finds(asked()), [cy]);
  assert.deepEqual(await finds({ key: "ids" }), [cy]);
  for (const value of [1, 2, 3]) assert.deepEqual(await finds(asked(employees(value))), [cy]);
  assert.deepEqual(await finds(asked(undefined, { op: "gte", value: 3 })), [cy]);
  assert.deepEqual(await finds(asked(undefined, { op: "eq", value: 1 })), []);
  assert.deepEqual(await finds(asked(undefined, { op: "eq", value: 0 })), [eve]);
  assert.deepEqual(await finds(asked(employees(2), { op: "neq", value: 0 })), [cy]);
  assert.deepEqual(
    [await shown(cy), await meant()],
    [
      ["a", "b", "c"],
      [cy, cy, cy],
    ],
  );
  await written(key, [{ domain: "d", name: "d", contact: "BOB@x.org" }]);
  assert.deepEqual(await shown(cy), ["a", "b", "c", "d"], "a row that came after the merge");
  await bodyOf(await key.send("POST", `/api/v1/merges/${second}/undo`));
  await bodyOf(await key.send("POST", `/api/v1/merges/${first}/undo`));
  assert.deepEqual([await shown(ana), await shown(bob), await shown(cy)], [["a"], ["b", "d"], ["c"]]);
  assert.deepEqual([await finds(asked()), await finds({ key: "ids" })], [[ana, bob, cy].sort(), [bob]]);
  assert.deepEqual(await meant(), [ana, bob, cy, bob]);
});
