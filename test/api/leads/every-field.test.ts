import assert from "node:assert/strict";
import { test } from "node:test";
import { type InputType, LEAD_FIELDS, type LeadField } from "../../../src/contract/lists/lead-fields.ts";
import type { FieldType } from "../../../src/contract/lists/operators.ts";
import { WRITABLE } from "../../../src/contract/lists/written-fields.ts";
import { acted, sums, uploaded } from "../../imports/support/uploading.ts";
import { world } from "../../world.ts";
import { bodyOf } from "../support/v1.ts";
import { leadOf, type Record_, writer } from "../support/writing.ts";

const FIELDS = LEAD_FIELDS.filter(({ name }) => WRITABLE.has(name));

/** Two values of a field of each type; texts have the field's name, so that no field can pass for another. */
const valuesOf = (owners: readonly string[]): Record<InputType, (name: string) => readonly unknown[]> => ({
  text: (name) => [`=${name} "É", 1`, `${name} 漢字`],
  raw: (name) => [`${name} 1`, `${name} 2`],
  url: (name) => [`https://example.org/${name}?a=1&b=2`, `https://example.org/${name}/2`],
  email: (name) => [`${name}@example.org`, `${name}.2@example.org`],
  emails: (name) => [[`${name}@example.net`], [`${name}.2@example.net`]],
  phone: () => ["+5511912345678", "+5511912345679"],
  phones: () => [["+351912345678"], ["+351912345679"]],
  currency: () => ["EUR", "BRL"],
  owner: () => owners,
  enum: () => ["qualified", "contacted"],
  integer: () => [7, -8],
  number: () => [-0.5, 12.25],
  boolean: () => [true, false],
  date: () => ["2026-03-31", "2026-04-01"],
  datetime: () => ["2026-03-31T14:30:00+00:00", "2026-04-01T00:00:00+00:00"],
  list: (name) => [[name, "a,b"], [`${name} 2`]],
});

/** The operator by which a filter finds a lead with a value of this type. */
const FINDS: Partial<Record<FieldType, string>> = { tags: "has_all" };
const idsOf = (leads: readonly Record_[]) => leads.map(({ id }) => id);
const condition = ({ name, type }: LeadField, value: unknown) => ({
  field: name,
  op: FINDS[type] ?? "eq",
  value,
});

test("every field that callers write is written, changed, found, sorted by, and comes back from an export", async () => {
  await using the = await world();
  const other = await the.newPerson("Vera");
  await the.join(other, the.project.id, "editor");
  const values = valuesOf([the.person.id, other.id]);
  const leadWith = (place: 0 | 1): Record<string, unknown> =>
    Object.fromEntries(FIELDS.map(({ name, input = "text" }) => [name, values[input](name)[place]]));
  const key = await writer(the);
  const search = async (query: object) =>
    (await bodyOf<{ leads: Record_[] }>(await key.send("POST", "/api/v1/leads/search", query))).leads;
  const holds = (lead: Record_ | undefined, wanted: object) => {
    for (const [name, value] of Object.entries(wanted)) assert.deepEqual(lead?.[name], value, name);
  };

  const { id } = await leadOf(await key.send("POST", "/api/v1/leads", leadWith(1)), 201);
  holds(await leadOf(await key.send("GET", `/api/v1/leads/${id}`)), leadWith(1));
  holds(await leadOf(await key.send("PATCH", `/api/v1/leads/${id}`, leadWith(0))), leadWith(0));
  await leadOf(await key.send("POST", "/api/v1/leads", leadWith(1)), 201);
  for (const field of FIELDS) {
    assert.deepEqual(
      idsOf(await search({ filter: condition(field, leadWith(0)[field.name]) })),
      [id],
      `the filter of ${field.name}`,
    );
    if (field.type === "tags") continue;
    const sorted = (dir: string) => search({ sort: [{ field: field.name, dir }] });
    const [up, down] = [idsOf(await sorted("asc")), idsOf(await sorted("desc"))];
    assert.deepEqual(up, down.toReversed(), `the order by ${field.name}`);
  }

  const file = await key.send("POST", "/api/leads/export/", { project_id: the.project.id });
  const csv = Buffer.from(await file.arrayBuffer());
  const emptied = FIELDS.filter(({ name, required }) => name !== "external_id" && required !== true);
  const nulls = Object.fromEntries(emptied.map(({ name }) => [name, null]));
  await leadOf(await key.send("PATCH", `/api/v1/leads/${id}`, nulls));
  const done = await acted(key, (await uploaded(the, key, csv)).id, "commit");
  assert.deepEqual(sums(done), [2, 0, 1, 1, 0, 0]);
  holds(await leadOf(await key.send("GET", `/api/v1/leads/${id}`)), leadWith(0));
});
