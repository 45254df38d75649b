import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { large } from "../large.ts";
import { type World, world } from "../world.ts";
import { leadsFrom, type Person, Race } from "./support/race.ts";
import type { Addresses } from "./support/rows.ts";
import { bulkUpsert, upsert } from "./support/ways.ts";

let persons = 0;

const emailOf = (source: string) => `${source}@example.org`;
const phoneOf = (number: number) => `+55119${20_000_000 + number}`;

/** A person whom no lead is yet: all writers give the e-mail, some of them more. */
function stranger(): Person {
  persons += 1;
  const [source, phone] = [`stranger-${persons}`, phoneOf(persons)];
  const more: Addresses[] = [
    {},
    { phone },
    { external_id: `x-${source}` },
    { emails: [`f-${source}@example.org`] },
  ];
  return { source, given: (writer) => ({ email: emailOf(source), ...more[writer % more.length] }) };
}

/** A person whom a lead without an e-mail is: all writers give the phone with the e-mail. */
async function caller(race: Race): Promise<Person> {
  persons += 1;
  const [source, phone] = [`caller-${persons}`, phoneOf(persons)];
  await bodyOf(await race.key.send("POST", "/api/v1/leads", { phone, source }), 201);
  const spellings = [emailOf(source), emailOf(source).toUpperCase()];
  return { source, given: (writer) => ({ email: spellings[writer % 2] ?? "", phone }) };
}

/** A person of two leads that were merged: the writers give what was the one's or the other's. */
async function merged(race: Race): Promise<Person> {
  persons += 1;
  const source = `merged-${persons}`;
  const [one, two]: Addresses[] = ["s", "l"].map((letter) => ({
    external_id: `${letter}-${source}`,
    email: `${letter}@${source}.example.org`,
  }));
  const [{ id }, { id: other }] = (await Promise.all(
    [one, two].map(async (lead) =>
      bodyOf<{ id: string }>(await race.key.send("POST", "/api/v1/leads", { ...lead, source }), 201),
    ),
  )) as [{ id: string }, { id: string }];
  await bodyOf(await race.key.send("POST", `/api/v1/leads/${id}/merge`, { with: other }));
  const given = [one, two, { email: two?.email ?? "" }, { external_id: two?.external_id ?? "" }];
  return { source, given: (writer) => given[writer % given.length] ?? {} };
}

/** Asserts that each person is one lead, which has what every writer wrote. */
async function eachOnce(race: Race, all: readonly Person[]): Promise<void> {
  const leads = await leadsFrom(
    race.key,
    all.map(({ source }) => source),
  );
  const wanted = Object.fromEntries(race.writers.map((number) => [`w${number}`, `by ${number}`]));
  for (const { source, given } of all) {
    const own = leads.filter((lead) => lead.source === source);
    assert.equal(own.length, 1, `${own.length} leads of ${source}`);
    const [lead = { custom: {} }] = own;
    assert.deepEqual(lead.custom, wanted, source);
    if (!source.startsWith("stranger")) continue;
    const all = Object.assign({}, ...race.writers.map(given)) as Addresses;
    const { external_id, email, phone, emails } = lead as Addresses;
    assert.deepEqual({ external_id, email, phone, emails }, all, source);
  }
}

/** Races eight writers of one person, as many times, and then of as many persons at once. */
async function races(rounds: number, crowd: number): Promise<void> {
  await using the = await world();
  const race = await Race.in(the);
  for (let round = 0; round < rounds; round += 1)
    for (const person of [stranger(), await caller(race), await merged(race)]) {
      await race.run([person]);
      await eachOnce(race, [person]);
    }
  const all: Person[] = [];
  while (all.length < crowd) all.push(stranger(), await caller(race), await merged(race));
  await race.run(all);
  await eachOnce(race, all);
}

test("eight writers of a person by upserts, bulk and imports at once make one lead, and no value is lost", () =>
  races(1, 12));
large("eight writers of hundreds of persons at once make each of them once, and no value is lost", () =>
  races(15, 300),
);

test("of external ids that race for an e-mail, one is filled in and each other becomes a lead of its own", async () => {
  await using the = await world();
  const race = await Race.in(the);
  const source = "one-e-mail";
  const known = { email: emailOf(source), source, name: "Known" };
  const { id } = await bodyOf<{ id: string }>(await race.key.send("POST", "/api/v1/leads", known), 201);
  await race.run([{ source, given: (writer) => ({ external_id: `x-${writer}`, email: known.email }) }]);
  const leads = await leadsFrom(race.key, [source]);
  const ids = race.writers.map((writer) => `x-${writer}`);
  assert.deepEqual(leads.map((lead) => lead.external_id).sort(), ids);
  assert.deepEqual(
    leads.filter(({ name }) => name === "Known").map((lead) => lead.id),
    [id],
  );
  for (const { external_id, custom } of leads) {
    const writer = external_id?.slice(2);
    assert.deepEqual(custom, { [`w${writer}`]: `by ${writer}` });
  }
});

/** Races records that give A the phone of B with those that make B; each pair must end as one after the other. */
async function pairs(the: World, rounds: number): Promise<void> {
  const key = await the.key(["leads:read", "leads:write"]);
  for (let round = 0; round < rounds; round += 1) {
    const tag = `pair-${rounds}-${round}`;
    const [before, wanted] = [`+55119${30_000_000 + round * 2}`, `+55119${30_000_001 + round * 2}`];
    const [a, b] = [`a@${tag}.example.org`, `b@${tag}.example.org`];
    await upsert(key, { email: a, phone: before, source: tag, name: "A" });
    const write = async (lead: object, isBulk: boolean) =>
      isBulk ? (await bulkUpsert(key, [lead]))[0] : await upsert(key, lead);
    const [moved, made] = await Promise.all([
      write({ email: a, phone: wanted, source: tag }, round % 2 === 0),
      write({ email: b, phone: wanted, source: tag, name: "B" }, round % 4 < 2),
    ]);
    const leads = await leadsFrom(key, [tag]);
    const phones = Object.fromEntries(leads.map(({ name, phone }) => [name, phone]));
    assert.equal(made?.failed, false);
    const isFirst = moved?.failed === false;
    assert.deepEqual(phones, { A: isFirst ? wanted : before, B: wanted }, tag);
    assert.deepEqual(
      [moved?.code, made?.warnings?.length],
      isFirst ? [undefined, 1] : ["identity_conflict", 0],
    );
  }
}

test("two records that race for a phone end as if one came after the other", async () => {
  await using the = await world();
  await pairs(the, 8);
});
large("two hundred pairs of records that race for a phone end as if one came after the other", async () => {
  await using the = await world();
  await pairs(the, 200);
});
