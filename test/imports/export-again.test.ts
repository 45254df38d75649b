import assert from "node:assert/strict";
import { test } from "node:test";
import { en, Faker } from "@faker-js/faker";
import { bodyOf } from "../api/support/v1.ts";
import { world } from "../world.ts";
import { leadsOf } from "./support/importing.ts";
import { acted, sums, uploaded } from "./support/uploading.ts";

const SEED = Number(process.env.SEED ?? 20_261_121);
const BEGINNINGS = [
  "=",
  "'=",
  "''+",
  "-",
  "@",
  "+",
  "'",
  "[",
  '["',
  "0",
  "1e5",
  '"',
  ";",
  ",",
  "{",
  "NULL",
  "\\N",
  "true",
  "x",
];
const MIDDLES = [
  "\n",
  "\r\n",
  "\t",
  '"',
  "''",
  ";",
  ",",
  "|",
  "漢字",
  "🎉",
  "é",
  "\\",
  "\u202e",
  "%_",
  "  ",
  "null",
  "01/02/2024",
  "1,234",
];

const TYPES: Record<string, string> = {
  plan: "text",
  seats: "integer",
  rate: "number",
  active: "boolean",
  born: "date",
  seen: "datetime",
  backup: "email",
  desk: "phone",
  site: "url",
  tier: "enum",
};

test(`random leads with every type of field come back from an export without a change (seed ${SEED})`, async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  for (const [field, type] of Object.entries(TYPES)) {
    await the.sql(
      "INSERT INTO store.custom_field (project_id, key, label, type, options) VALUES ($1, $2, $2, $3, $4)",
      [the.project.id, field, type, type === "enum" ? ["a;b", "'c", "d,e"] : []],
    );
  }
  const faker = new Faker({ locale: [en], seed: SEED });
  const pick = <T>(list: readonly T[]): T => faker.helpers.arrayElement([...list]);
  const maybe = <T>(name: string, make: () => T): Record<string, T> =>
    faker.datatype.boolean(0.6) ? { [name]: make() } : {};
  const text = () => `${pick(BEGINNINGS)}${faker.lorem.word()}${pick(MIDDLES)}${faker.lorem.word()}`;
  const phone = () => `+55 11 9${faker.string.numeric(4)}-${faker.string.numeric(4)}`;
  const moment = () =>
    faker.date.between({ from: "1950-01-01", to: "2060-01-01" }).toISOString().replace("Z", "+00:00");
  const number = () =>
    pick([0, -0.1, 1e21, 1 / 3, -1e-9, 1234, 1234.5, faker.number.float({ min: -1e6, max: 1e6 })]);
  const many = 200;
  for (let i = 0; i < many; i += 1) {
    const names = [
      "name",
      "first_name",
      "last_name",
      "company",
      "job_title",
      "city",
      "state",
      "lost_reason",
      "source",
      "medium",
      "campaign",
      "utm_term",
      "lifecycle_stage",
    ];
    const lead = {
      ...Object.assign({}, ...names.map((name) => maybe(name, text))),
      ...maybe("email", () => `p${i}@example.com`),
      ...maybe("external_id", () => `${pick(["=", "007", "'", "x"])}${i}`),
      ...maybe("emails", () => [`b${i}@example.com`, `c${i}@example.com`]),
      ...maybe("phone", phone),
      ...maybe("phones", () => [phone(), phone()]),
      ...maybe("tags", () => pick([[text(), text(), `t${i}`], [`"t${i}"`]])),
      ...maybe("score", number),
      ...maybe("value", number),
      ...maybe("first_touch", moment),
      ...maybe("consent_at", moment),
      ...maybe("do_not_contact", () => faker.datatype.boolean()),
      custom: {
        ...maybe("plan", text),
        ...maybe("seats", () => faker.number.int({ min: -9e15, max: 9e15 })),
        ...maybe("rate", number),
        ...maybe("active", () => faker.datatype.boolean()),
        ...maybe("born", () => moment().slice(0, 10)),
        ...maybe("seen", moment),
        ...maybe("backup", () => `d${i}@example.com`),
        ...maybe("desk", phone),
        ...maybe("site", () => `https://example.com/?q=${i}&x=,;"`),
        ...maybe("tier", () => pick(["a;b", "'c", "d,e"])),
      },
    };
    await bodyOf(await key.send("POST", "/api/v1/leads", lead), 201);
  }
  const before = await leadsOf(the);
  for (const options of [{}, { delimiter: ";", bom: true }, { delimiter: "\t" }, { format: "ndjson" }]) {
    const file = await key.send("POST", "/api/leads/export/", { project_id: the.project.id, ...options });
    const bytes = Buffer.from(await file.arrayBuffer());
    const made = await uploaded(the, key, bytes, { type: "application/octet-stream" });
    const done = await acted(key, made.id, "commit");
    const after = await leadsOf(the);
    assert.deepEqual(after, before, JSON.stringify(options));
    assert.deepEqual(sums(done), [many, 0, 0, many, 0, 0], JSON.stringify([options, done.error]));
  }
});
