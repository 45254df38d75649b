import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import type { KeyActor } from "../world.ts";
import type { Given } from "./support/check.ts";
import { assisted, bulkUpsert, entrance, fileOf, importFile, upsert } from "./support/ways.ts";

/** Gives records that fill leads, all by one call where the way takes several. */
type Filling = (records: readonly object[]) => Promise<Given[]>;

const CUSTOM = ["plan", "seats"];
const COLUMNS = ["external_id", "email", "phone", "name", "city", "score", "tags", ...CUSTOM];

let prepared: Promise<Readonly<Record<string, Filling>>> | undefined;

/** Returns the ways in that fill leads, in a project with custom fields. */
async function fillings(): Promise<Readonly<Record<string, Filling>>> {
  prepared ??= prepare();
  return await prepared;
}

async function prepare(): Promise<Readonly<Record<string, Filling>>> {
  const { the, key, caller } = await entrance();
  for (const name of CUSTOM)
    await bodyOf(await key.send("POST", "/api/v1/fields", { key: name, label: name, type: "text" }), 201);
  const one = (give: (lead: object) => Promise<Given>): Filling => {
    return async (records) => {
      const given: Given[] = [];
      for (const record of records) given.push(await give(record));
      return given;
    };
  };
  const ofColumn = (name: string) => (CUSTOM.includes(name) ? `custom.${name}` : name);
  const mapping = {
    columns: Object.fromEntries(COLUMNS.map((name) => [name, ofColumn(name)])),
    fill: true,
  };
  return {
    upsert: one((lead) => upsert(key, lead, { fill: true })),
    bulk: (records) => bulkUpsert(key, records, { fill: true }),
    write_leads: one((lead) => assisted(caller, lead, { fill: true })),
    import: async (records) => {
      const flat = records.map((record) => ({ ...record, ...(record as { custom?: object }).custom }));
      const { failures } = await importFile(the, key, fileOf(flat, COLUMNS), mapping);
      return records.map((_, i) => ({ failed: failures.has(i + 2), code: failures.get(i + 2)?.[0]?.code }));
    },
  };
}

type Lead = Record<string, unknown> & { id: string; version: number };

const make = async (key: KeyActor, lead: object): Promise<Lead> =>
  await bodyOf<Lead>(await key.send("POST", "/api/v1/leads", lead), 201);

/** Returns the leads with the e-mail. */
async function leadsWith(key: KeyActor, email: string): Promise<Lead[]> {
  const filter = { field: "email", op: "eq", value: email };
  const answer = await key.send("POST", "/api/v1/leads/search", { filter });
  return (await bodyOf<{ leads: Lead[] }>(answer)).leads;
}

const shown = (lead: Lead | undefined) =>
  Object.fromEntries(
    ["name", "city", "score", "phone", "tags", "custom"].map((field) => [field, lead?.[field]]),
  );

const NAMES = ["upsert", "bulk", "write_leads", "import"] as const;

for (const name of NAMES) {
  const fill: Filling = async (records) => (await fillings())[name]?.(records) ?? [];

  test(`${name} with fill writes what is empty in the lead that it finds, and nothing else`, async () => {
    await fillings();
    const { key } = await entrance();
    const email = `found-${name}@example.org`;
    const full = { name: "Ana", score: 0, phone: "+5511987650001", tags: ["vip"], custom: { plan: "a" } };
    const before = await make(key, { email, ...full });
    const others = {
      ...{ email: email.toUpperCase(), name: "Other", city: "Natal", score: 9, tags: ["new"] },
      ...{ phone: "+5511987650002", custom: { plan: "b", seats: "3" } },
    };
    const wanted = { ...full, city: "Natal", custom: { plan: "a", seats: "3" } };
    const given = await fill([others]);
    assert.deepEqual(
      given.map(({ failed }) => failed),
      [false],
    );
    const [lead, ...more] = await leadsWith(key, email);
    assert.deepEqual([shown(lead), more], [wanted, []]);
    assert.equal(lead?.version, before.version + 1);
    const [again] = await fill([{ ...others, city: "Recife" }]);
    assert.deepEqual(await leadsWith(key, email), [lead]);
    if (again?.outcome !== undefined) assert.equal(again.outcome, "unchanged");
  });

  test(`${name} with fill creates a lead with all that is given, and a later record fills only what that one lacks`, async () => {
    await fillings();
    const { key } = await entrance();
    const email = `created-${name}@example.org`;
    const given = await fill([
      { email, name: "Bia", score: 3 },
      { email, name: "Other", score: 4, city: "Recife" },
    ]);
    assert.deepEqual(
      given.map(({ failed }) => failed),
      [false, false],
    );
    const [lead, ...more] = await leadsWith(key, email);
    assert.deepEqual([lead?.name, lead?.score, lead?.city, more], ["Bia", 3, "Recife", []]);
  });

  test(`${name} with fill fills an absent e-mail, and a conflict stays one`, async () => {
    await fillings();
    const { key } = await entrance();
    const email = (letter: string) => `${letter}-conflict-${name}@example.org`;
    const [one, two] = NAMES.flatMap((each, i) => (each === name ? [i * 2, i * 2 + 1] : []));
    const phone = (n: number | undefined) => `+5511987651${String(n ?? 0).padStart(3, "0")}`;
    const caller = await make(key, { phone: phone(one), name: "Caller" });
    await make(key, { email: email("b"), phone: phone(two) });
    await fill([{ email: email("a"), phone: phone(one), name: "Other" }]);
    const [filled] = await leadsWith(key, email("a"));
    assert.deepEqual([filled?.id, filled?.name], [caller.id, "Caller"]);
    const [refused] = await fill([{ email: email("a"), phone: phone(two), city: "Natal" }]);
    assert.equal(refused?.failed, true);
    if (refused.code !== undefined) assert.equal(refused.code, "identity_conflict");
    assert.deepEqual(await leadsWith(key, email("a")), [filled]);
  });
}

test("an upsert with fill and match_on fills the lead that those fields find", async () => {
  const { key } = await entrance();
  const lead = await make(key, { email: "matched@example.org", name: "Caio" });
  const given = { email: "matched@example.org", name: "Other", city: "Natal" };
  const found = await upsert(key, given, { fill: true, match_on: ["email"] });
  const [now] = await leadsWith(key, "matched@example.org");
  assert.deepEqual([found.id, now?.name, now?.city], [lead.id, "Caio", "Natal"]);
});

test("fill that is false writes all that is given", async () => {
  const { key } = await entrance();
  const lead = { email: "written@example.org", name: "Davi" };
  await make(key, lead);
  await upsert(key, { ...lead, name: "Davi Reis" }, { fill: false });
  const [given] = await bulkUpsert(key, [{ ...lead, city: "Natal" }], { fill: false });
  const [now] = await leadsWith(key, lead.email);
  assert.deepEqual([given?.failed, now?.name, now?.city], [false, "Davi", "Natal"]);
});
