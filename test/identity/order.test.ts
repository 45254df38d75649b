import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { entrance, type Item, importFile, warningsOf } from "./support/ways.ts";

/** Values that no other story has. */
let stories = 0;

async function story() {
  const { the, key } = await entrance();
  stories += 1;
  const email = (letter: string) => `${letter}@order-${stories}.example.org`;
  const [id, phone] = [`order-${stories}`, `+55119${38_000_000 + stories}`];
  const create = async (lead: object) =>
    (await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/leads", lead), 201)).id;
  const bulk = async (items: object[], more: object = {}) => {
    const answer = await key.send("POST", "/api/v1/leads/bulk", { op: "upsert", ...more, items });
    const { results } = await bodyOf<{ results: Item[] }>(answer);
    return results.map(({ id: lead, outcome, error }) => [outcome, error?.code ?? lead]);
  };
  const read = async (lead: string) =>
    await bodyOf<Record<string, unknown>>(await key.send("GET", `/api/v1/leads/${lead}`));
  return { the, key, email, id, phone, create, bulk, read };
}

test("match_on finds the survivor of a merge, which has the e-mail as a further one now", async () => {
  const { key, email, create } = await story();
  const [a, b] = [await create({ email: email("a") }), await create({ email: email("b") })];
  await bodyOf(await key.send("POST", `/api/v1/leads/${a}/merge`, { with: b }));
  const given = { match_on: ["email"], lead: { email: email("b"), name: "Ana" } };
  assert.equal(
    (await bodyOf<{ id: string }>(await key.send("PUT", "/api/v1/leads/upsert", given), 200)).id,
    a,
  );
});

test("items of a bulk upsert get an external id in their order, and one that is refused it gives nothing to later ones", async () => {
  const one = await story();
  const a = await one.create({ email: one.email("a") });
  const both = [
    { external_id: one.id, email: one.email("a") },
    { external_id: one.id, email: one.email("b") },
  ];
  assert.deepEqual(await one.bulk(both, { match_on: ["email"] }), [
    ["updated", a],
    ["failed", "external_id_taken"],
  ]);
  const two = await story();
  await two.create({ external_id: two.id });
  const items = [{ external_id: two.id, email: two.email("b") }, { email: two.email("b") }];
  const results = await two.bulk(items, { match_on: ["email"] });
  assert.deepEqual(
    results.map(([outcome]) => outcome),
    ["failed", "created"],
  );
  const three = await story();
  await three.create({ external_id: three.id });
  const b = await three.create({ email: three.email("b") });
  const [first, second] = await three.bulk(
    [
      { external_id: three.id, email: three.email("b"), phone: three.phone },
      { phone: three.phone, name: "Bo" },
    ],
    { match_on: ["email", "phone"] },
  );
  assert.deepEqual(first, ["failed", "external_id_taken"]);
  assert.equal(second?.[0], "created");
  assert.notEqual(second?.[1], b);
});

test("a main e-mail that becomes a further one still finds its lead for later items and rows", async () => {
  const one = await story();
  const a = await one.create({ external_id: one.id, email: one.email("c") });
  const items = [
    { external_id: one.id, email: one.email("a"), emails: [one.email("c")] },
    { email: one.email("c"), name: "Nina" },
  ];
  assert.deepEqual(await one.bulk(items), [
    ["updated", a],
    ["updated", a],
  ]);
  const two = await story();
  const b = await two.create({ external_id: two.id, email: two.email("c") });
  const file = `external_id,email,emails,name\n${two.id},${two.email("a")},${two.email("c")},\n,${two.email("c")},,Nina\n`;
  await importFile(two.the, two.key, file);
  const { name, email } = await two.read(b);
  assert.deepEqual([name, email], ["Nina", two.email("a")]);
});

test("a row with the id of a deleted lead fails, and changes no other lead", async () => {
  const { the, key, email, create, read } = await story();
  const a = await create({ email: email("a"), name: "Ana" });
  const b = await create({ email: email("b") });
  assert.equal((await key.send("DELETE", `/api/v1/leads/${b}`)).status, 204);
  const { failures } = await importFile(the, key, `id,email,name\n${b},${email("a")},Carla\n`);
  const codes = [...failures.values()].flat().map(({ code }) => code);
  assert.deepEqual(codes, ["unknown_lead"]);
  assert.equal((await read(a)).name, "Ana");
});

test("there is no warning of an address that the lead has already, also if a weaker one chose the lead", async () => {
  const { key, email, id, phone, create } = await story();
  await create({ external_id: `${id}-a`, email: email("a") });
  await create({ external_id: `${id}-b`, email: email("a") });
  const c = await create({ emails: [email("a")], phone });
  const lead = { external_id: `${id}-c`, email: email("a"), phone };
  const answer = await key.send("PUT", "/api/v1/leads/upsert", { lead });
  assert.equal((await bodyOf<{ id: string }>(answer.clone(), 200)).id, c);
  assert.deepEqual(warningsOf(answer), []);
});
