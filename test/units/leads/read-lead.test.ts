import assert from "node:assert/strict";
import { test } from "node:test";
import type { WritingSchema } from "../../../src/domain/fields/writing-schema.ts";
import { readLead } from "../../../src/domain/leads/write/read-lead.ts";
import { statusOf } from "../../../src/http/response/status.ts";
import { refused } from "../support/refused.ts";

const SCHEMA: WritingSchema = {
  country: null,
  timezone: "UTC",
  statuses: ["new", "contacted", "qualified", "won", "lost"],
  custom: new Map([
    ["plan", { type: "enum", options: ["free", "pro"] }],
    ["seats", { type: "integer", options: [] }],
    ["since", { type: "date", options: [] }],
    ["seen", { type: "datetime", options: [] }],
    ["tel2", { type: "phone", options: [] }],
  ]),
  refusesShared: false,
  members: new Set(["per_member"]),
  now: new Date("2026-06-01T12:00:00Z"),
};

/** Refused leads: the status, the code, and the path of the error. */
const WRONG: [unknown, number, string, string][] = [
  [{ nome: "x" }, 400, "unknown_key", "$.nome"],
  [{ id: "lead_1" }, 400, "read_only", "$.id"],
  [{ created_at: "2026-01-01T00:00:00Z" }, 400, "read_only", "$.created_at"],
  [{ phone_e164: "+5511912345678" }, 400, "read_only", "$.phone_e164"],
  [{ search_text: "x" }, 400, "unknown_key", "$.search_text"],
  [JSON.parse('{"__proto__": {"name": "x"}}'), 400, "unknown_key", "$.__proto__"],
  [{ "custom.plan": "x" }, 400, "unknown_key", "$.custom.plan"],
  [{ name: 5 }, 422, "type", "$.name"],
  [{ name: "a\0b" }, 422, "nul", "$.name"],
  [{ name: "\ud800" }, 422, "lone_surrogate", "$.name"],
  [{ name: "x".repeat(501) }, 422, "too_long", "$.name"],
  [{ email: "ana" }, 422, "not_an_email", "$.email"],
  [{ emails: ["a@b.co", "no"] }, 422, "not_an_email", "$.emails"],
  [{ emails: "a@b.co" }, 422, "type", "$.emails"],
  [{ phone: "call me" }, 422, "not_a_phone", "$.phone"],
  [{ phone: "5.5E+12" }, 422, "scientific_notation", "$.phone"],
  [{ tags: Array.from({ length: 101 }, (_, i) => `t${i}`) }, 422, "too_many", "$.tags"],
  [{ tags: [1] }, 422, "type", "$.tags"],
  [{ status: "nowhere" }, 422, "unknown_option", "$.status"],
  [{ status: null }, 422, "required", "$.status"],
  [{ currency: "BTC" }, 422, "not_a_currency", "$.currency"],
  [{ score: "7" }, 422, "type", "$.score"],
  [{ do_not_contact: "yes" }, 422, "type", "$.do_not_contact"],
  [{ first_touch: "2026-02-30" }, 422, "not_a_datetime", "$.first_touch"],
  [{ first_touch: "2026-02-03T10:00:00" }, 422, "not_a_datetime", "$.first_touch"],
  [{ first_touch: "9999-12-31T23:59:59-12:00" }, 422, "not_a_datetime", "$.first_touch"],
  [{ consent_at: "0001-01-01T00:00:00+12:00" }, 422, "not_a_datetime", "$.consent_at"],
  [{ custom: { seen: "9999-12-31T23:59:59-12:00" } }, 422, "not_a_datetime", "$.custom.seen"],
  [{ custom: { seen: "0001-01-01T00:00:00+12:00" } }, 422, "not_a_datetime", "$.custom.seen"],
  [{ owner_id: "per_nobody" }, 422, "not_a_member", "$.owner_id"],
  [{ custom: { none: 1 } }, 422, "unknown_field", "$.custom.none"],
  [{ custom: { seats: 1.5 } }, 422, "type", "$.custom.seats"],
  [{ custom: { plan: "gold" } }, 422, "unknown_option", "$.custom.plan"],
  [{ custom: { since: "tomorrow" } }, 422, "not_a_date", "$.custom.since"],
  [{ custom: [] }, 422, "type", "$.custom"],
];

test("a lead that cannot be written is refused with status, code and path", () => {
  for (const [lead, status, code, path] of WRONG) {
    const refusal = refused(() => readLead(lead, SCHEMA));
    assert.deepEqual(
      [statusOf(refusal), refusal.code, refusal.faults[0]?.path],
      [status, code, path],
      JSON.stringify(lead),
    );
  }
  const several = refused(() => readLead({ email: "x", score: "y", custom: { seats: [] } }, SCHEMA));
  assert.deepEqual(
    several.faults.map(({ path }) => path),
    ["$.email", "$.score", "$.custom.seats"],
  );
});

test("a custom phone number is kept in E.164 where that loses nothing, else as it was written", () => {
  const kept: [string, string][] = [
    ["11 98765-4321", "+5511987654321"],
    ["11 98765-4321 ext. 5", "11 98765-4321 ext. 5"],
    ["ramal 12", "ramal 12"],
  ];
  for (const [written, stored] of kept) {
    const { custom } = readLead({ custom: { tel2: written } }, { ...SCHEMA, country: "BR" });
    assert.deepEqual(custom, { tel2: stored });
  }
});

test("a plain day is midnight of the project's zone", () => {
  const schema = { ...SCHEMA, timezone: "America/Sao_Paulo" };
  const day = "2026-01-13";
  const read = readLead({ first_touch: day, last_touch: day, consent_at: day }, schema);
  for (const field of ["first_touch", "last_touch", "consent_at"])
    assert.equal(read[field], "2026-01-13T03:00:00.000+00:00", field);
});
