import assert from "node:assert/strict";
import { test } from "node:test";
import { type World, world } from "../world.ts";
import { addLeads, idsOf, pageOf } from "./leads.ts";
import * as pools from "./random-filter.ts";
import { matches } from "./reference.ts";

const FILTERS = 1_500;
const LEADS = 300;
const SEED = 20_261_121;

const CUSTOM = {
  plan: "text",
  mail: "email",
  seats: "number",
  active: "boolean",
  size: "enum",
  since: "date",
  at: "datetime",
};

/** A lead whose values come from the pools of the filters, so that they meet. */
function randomLead(random: () => number): Record<string, unknown> {
  const some = <T>(list: readonly T[]) => (random() < 0.25 ? null : pools.pick(random, list));
  const several = (list: readonly string[]) => list.filter(() => random() < 0.25);
  const recent = () =>
    new Date(Date.now() - (Math.floor(random() * 100) - 10) * 43_200_000 - 1_800_000).toISOString();
  const time = () => (random() < 0.5 ? recent() : pools.pick(random, pools.TIMES));
  const phone = some(pools.PHONES);
  const custom = {
    plan: some(pools.TEXTS),
    mail: some(pools.EMAILS),
    seats: some(pools.NUMBERS),
    active: some([true, false]),
    size: some(pools.ENUMS),
    since: some(pools.DAYS),
    at: random() < 0.25 ? null : time().replace("Z", "+00:00"),
  };
  return {
    name: some(pools.TEXTS),
    company: some(pools.TEXTS),
    city: some(pools.TEXTS),
    source: some(pools.TEXTS),
    email: some(pools.EMAILS),
    emails: several(pools.TAGS),
    phone: phone && (random() < 0.5 ? phone : `(11) 9${phone.slice(-4)}`),
    phone_e164: phone,
    score: some(pools.NUMBERS),
    value: some(pools.NUMBERS),
    version: 1 + Math.floor(random() * 4),
    do_not_contact: random() < 0.5,
    status: pools.pick(random, pools.ENUMS),
    external_id: some(pools.ENUMS),
    tags: several(pools.TAGS),
    created_at: time(),
    first_touch: random() < 0.3 ? null : time(),
    custom: Object.fromEntries(
      Object.entries(custom).filter(([, value]) => value !== null || random() < 0.2),
    ),
  };
}

async function defineFields(the: World): Promise<void> {
  for (const [key, type] of Object.entries(CUSTOM)) {
    await the.sql("INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, $2, $2, $3)", [
      the.project.id,
      key,
      type,
    ]);
  }
}

test(`${FILTERS} random filters find what a plain reference finds`, async () => {
  await using the = await world();
  const random = pools.randomFrom(SEED);
  await defineFields(the);
  const leads = Array.from({ length: LEADS }, () => randomLead(random));
  const ids = await addLeads(the, leads);
  const key = await the.key();
  const ask = async (filter: pools.AnyFilter) => {
    const page = await pageOf(
      await key.query({ filter, limit: 500, fields: ["id"], timezone: "America/Sao_Paulo" }),
    );
    const expected = ids.filter((_, i) => matches(filter, leads[i] ?? {}, Date.now()));
    assert.deepEqual(idsOf(page).sort(), expected.sort(), JSON.stringify(filter));
    return expected.length;
  };
  let telling = 0;
  for (let done = 0; done < FILTERS; done += 10) {
    const found = await Promise.all(Array.from({ length: 10 }, () => ask(pools.randomFilter(random))));
    telling += found.filter((count) => count > 0 && count < LEADS).length;
  }
  assert.ok(telling > FILTERS / 2, `only ${telling} filters told leads apart`);
});

test("a plain day is the day of the request's zone, else of the project's", async () => {
  await using the = await world();
  const [late] = await addLeads(the, [{ created_at: "2026-03-02T01:30:00+00:00" }]);
  const key = await the.key();
  const filter = { field: "created_at", op: "eq", value: "2026-03-01" };
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter }))), []);
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter, timezone: "America/Sao_Paulo" }))), [late]);
  await the.sql("UPDATE store.project SET timezone = 'America/Sao_Paulo' WHERE project_id = $1", [
    the.project.id,
  ]);
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter }))), [late]);
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter, timezone: "UTC" }))), []);
});

test("custom values of another type than their field's are empty, not an error", async () => {
  await using the = await world();
  await defineFields(the);
  const [id] = await addLeads(the, [
    { custom: { seats: "many", since: "2026-02-30", at: "infinity", active: [1], plan: { a: 1 } } },
  ]);
  const key = await the.key();
  for (const field of ["custom.seats", "custom.since", "custom.at"]) {
    assert.deepEqual(
      idsOf(await pageOf(await key.query({ filter: { field, op: "is_empty" } }))),
      [id],
      field,
    );
  }
  const other = {
    or: [
      { field: "custom.seats", op: "gt", value: -1e308 },
      { field: "custom.at", op: "on_or_after", value: "1000-01-01" },
    ],
  };
  assert.deepEqual(idsOf(await pageOf(await key.query({ filter: other }))), []);
});
