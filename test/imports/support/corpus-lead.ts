import assert from "node:assert/strict";
import type { Lead } from "../../../src/contract/leads/lead.ts";
import { e164Of } from "../../../src/domain/values/read-phone.ts";
import type { WantedLead } from "./corpus.ts";

/** The fields by which an expectation names its lead, the surest first. */
const NAMING = ["email", "phone_e164", "external_id", "display_name", "name", "company"] as const;

/** Asserts that one lead is as expected in each field that is named: lists in any order, times as moments. */
export function assertLead(
  leads: readonly Lead[],
  { numbers, somewhere = [], ...wanted }: WantedLead,
  country: string | null,
  notes: ReadonlyMap<string, readonly string[]> = new Map(),
): void {
  const by = NAMING.find((field) => typeof wanted[field] === "string");
  assert.ok(by, `what names the lead ${JSON.stringify(wanted)}?`);
  const found = leads.filter((lead) => lead[by] === wanted[by]);
  assert.equal(
    found.length,
    1,
    `${JSON.stringify(wanted)} is one lead of ${JSON.stringify(leads.map((lead) => lead[by]))}`,
  );
  const [lead] = found;
  const shown = Object.entries(wanted).map(([field, value]): [string, unknown] => {
    const has = (lead as Record<string, unknown> | undefined)?.[field];
    const part = field === "custom" ? partOf(has, Object.keys(value as object)) : has;
    return [field, comparable(field, part, country)];
  });
  const expected = Object.entries(wanted).map(([field, value]) => [field, comparable(field, value, country)]);
  assert.deepEqual(Object.fromEntries(shown), Object.fromEntries(expected));
  if (numbers !== undefined) {
    const has = new Set([lead?.phone_e164 ?? lead?.phone, ...(lead?.phones ?? [])].filter((each) => each));
    assert.deepEqual(
      [...new Set(comparable("phones", [...has], country) as string[])],
      comparable("phones", numbers, country),
    );
  }
  const all = JSON.stringify([lead, notes.get(lead?.id ?? "") ?? []]);
  const lost = somewhere.filter((text) => !all.includes(JSON.stringify(text).slice(1, -1)));
  assert.deepEqual(lost, [], `texts that ${all} lacks`);
}

const partOf = (value: unknown, keys: readonly string[]) =>
  Object.fromEntries(keys.map((key) => [key, (value as Record<string, unknown>)[key]]));

const MOMENT = /^\d{4}-\d\d-\d\dT/;

function comparable(field: string, value: unknown, country: string | null): unknown {
  if (Array.isArray(value))
    return value.map((each) => (field === "phones" ? (e164Of(String(each), country) ?? each) : each)).sort();
  if (typeof value !== "string") return value;
  if (field === "country") return COUNTRIES.get(value.toLowerCase()) ?? value;
  return MOMENT.test(value) ? new Date(value).toISOString() : value;
}

/** The code of each country that is named in a language of the corpus. */
const COUNTRIES = new Map(
  ["en", "pt", "es", "fr", "de", "it", "nl"].flatMap((language) => {
    const names = new Intl.DisplayNames([language], { type: "region" });
    return ["BR", "US", "GB", "DE", "FR", "ES", "IT", "PT", "MX", "AU", "NL"].map(
      (code): [string, string] => [(names.of(code) ?? code).toLowerCase(), code],
    );
  }),
);
