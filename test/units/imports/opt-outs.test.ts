import assert from "node:assert/strict";
import { test } from "node:test";
import type { ImportMapping } from "../../../src/contract/imports/import-mapping.ts";
import { ColumnWatch } from "../../../src/domain/imports/file/column-profile.ts";
import { planColumns } from "../../../src/domain/imports/mapping/column-plan.ts";
import { rowReader } from "../../../src/domain/imports/mapping/row-reader.ts";
import { propose } from "../../../src/domain/imports/questions/propose.ts";
import { TARGET } from "./support/target.ts";

/** Consent is withdrawn, and the lead not to be contacted; only the latter; what clears an opt-out where that is allowed; nothing is said. */
const [OUT, DNC, NOT, NONE] = ["out", "dnc", "not", "nothing"];
/** The row fails. */
const FAILS = "fails";

/** Reads records of a CSV with the mapping that is guessed; returns what each says of contact and consent. */
function readAs(header: readonly string[], records: readonly (readonly string[])[], own?: ImportMapping) {
  const profiles = header.map((name, i) => {
    const watch = new ColumnWatch();
    for (const cells of records) watch.see(cells[i] ?? "");
    return watch.profile(name);
  });
  const mapping =
    own ?? propose({ columns: profiles, doubts: {} }, { target: TARGET, mayCreate: false }).mapping;
  const reader = rowReader(header.length, planColumns(profiles, mapping, TARGET, "csv"), mapping, TARGET);
  const rows = records.map((cells, i) => reader.read({ line: i + 2, cells: [...cells] }, i + 1));
  return { mapping, rows };
}

const saidOf = (rows: ReturnType<typeof readAs>["rows"]) =>
  rows.map((row) => {
    if (row.kind !== "filled") return FAILS;
    const [out, status] = [row.patch.get("do_not_contact"), row.patch.get("consent_status")];
    assert.ok(!row.patch.has("opt_out") && !row.patch.has("opt_out_at"));
    if (status !== undefined) assert.equal(status, "withdrawn");
    return out === undefined ? NONE : out === false ? NOT : status === undefined ? DNC : OUT;
  });

/** Each header with its cells, and what they say. */
const TABLE: [header: string, cells: Record<string, string | undefined>][] = [
  // HubSpot, Zoho, Salesforce, SuiteCRM
  ["Unsubscribed from all email", { true: OUT, false: NOT, "": NONE, perhaps: DNC }],
  ["Email Opt Out", { true: OUT, false: NOT, TRUE: OUT, "1": OUT, "0": NOT, "": NONE }],
  ["HasOptedOutOfEmail", { "1": OUT, "0": NOT, Yes: OUT, No: NOT, Sim: OUT, Não: NOT }],
  ["email_opt_out", { "1": OUT, "0": NOT }],
  ["Opted out", { "Opted out": OUT, "opted-in": NOT, X: OUT, "": NONE }],
  ["Do Not Call", { "1": DNC, "0": NOT, yes: DNC, "": NONE, perhaps: DNC }],
  ["DoNotCall", { true: DNC, false: NOT }],
  ["do_not_contact", { true: DNC, false: NOT, verdadeiro: DNC, falso: NOT, maybe: DNC }],
  // Dynamics
  ["Do not allow Emails", { "Do Not Allow": DNC, Allow: NOT }],
  // Pipedrive
  [
    "Person - Marketing status",
    { subscribed: NOT, unsubscribed: OUT, "no consent": DNC, archived: NOT, "gone away": DNC, "": NONE },
  ],
  ["Marketing status", { Unsubscribed: OUT, "No Consent": DNC, Subscribed: NOT }],
  // ActiveCampaign, Constant Contact and others whose header says nothing
  ["Status", { Active: NOT, Unconfirmed: NOT, Unsubscribed: OUT, Bounced: DNC, "": NONE }],
  ["Contact state", { Active: NOT, Unsubscribed: OUT }],
  // Klaviyo
  ["Email Marketing Consent", { SUBSCRIBED: NOT, UNSUBSCRIBED: OUT, NEVER_SUBSCRIBED: NOT }],
  // Brevo, Mailjet
  ["Email blacklisted", { yes: DNC, no: NOT }],
  ["EMAIL_BLOCKLISTED", { true: DNC, false: NOT }],
  ["IsExcludedFromCampaigns", { true: DNC, false: NOT }],
  ["IsUnsubscribed", { true: OUT, false: NOT }],
  // No means that the person opted out
  ["Subscribed", { yes: NOT, no: OUT, unsubscribed: OUT, "": NONE, perhaps: DNC }],
  ["Inscrito", { Sim: NOT, Não: OUT }],
  // No does not mean that the person opted out
  ["Accepts marketing", { yes: NOT, no: NOT, unsubscribed: OUT, "": NONE }],
  ["Email opt in", { "1": NOT, "0": NOT, "Opted out": OUT }],
  // Dates
  ["UNSUB_TIME", { "2021-05-06 07:08:09": OUT, "": NONE, soon: FAILS }],
  ["Unsubscribed at", { "2021-05-06": OUT, "": NONE }],
  ["Unsubscribed", { "2021-05-06": OUT, "2021-05-07T08:00:00Z": OUT, "": NONE }],
  ["Data de descadastro", { "06/05/2021": OUT, "31/05/2021": OUT }],
];

test("headers and values of programs that say who opted out", () => {
  for (const [header, cells] of TABLE) {
    const texts = Object.keys(cells);
    const { rows } = readAs(
      ["email", header],
      texts.map((text, i) => [`a${i}@x.example`, text]),
    );
    assert.deepEqual(Object.fromEntries(saidOf(rows).map((said, i) => [texts[i], said])), cells, header);
  }
});

/** Columns that are not about opting out, or not by these cells: they are mapped as before, or listed as left out. */
const OTHERS: [header: string, cells: string[], field: string | undefined][] = [
  ["Accepts marketing", ["yes", "no"], undefined],
  ["Email opt in", ["1", "0"], undefined],
  ["Marketing status", ["subscribed"], undefined],
  ["Subscribed", [], undefined],
  ["Status", ["new", "won"], "status"],
  ["Status", ["active"], "status"],
  ["consent_status", ["given", "withdrawn"], "consent_status"],
  ["Consent status", ["given", "withdrawn"], "consent_status"],
  ["Mood", ["unsubscribed", "merry"], undefined],
  ["Answer", ["yes", "no", "unsubscribed"], undefined],
];

test("a column that is not sure to say who opted out is not guessed to", () => {
  for (const [header, cells, field] of OTHERS) {
    const { mapping } = readAs(
      ["email", header],
      cells.map((text, i) => [`a${i}@x.example`, text]),
    );
    const rule = mapping.columns[header];
    assert.equal(typeof rule === "object" ? rule.field : rule, field, `${header}: ${cells.join(", ")}`);
  }
});

test("an opt-out in any of several columns counts, whichever comes first", () => {
  const header = ["email", "Email Opt Out", "Unsubscribed", "Do not call", "Do not email"];
  const { rows } = readAs(header, [
    ["a@x.example", "no", "yes", "no", "no"],
    ["b@x.example", "yes", "no", "", ""],
    ["c@x.example", "no", "no", "yes", "no"],
    ["d@x.example", "no", "no", "no", "yes"],
    ["e@x.example", "no", "", "no", "no"],
  ]);
  assert.deepEqual(saidOf(rows), [OUT, OUT, DNC, DNC, NOT]);
});

test("a consent that was withdrawn becomes events of its beginning and its end, and its date that of the end", () => {
  const header = ["email", "consent_at", "Unsubscribed at", "Status"];
  const { rows } = readAs(header, [
    ["a@x.example", "2019-03-02", "2021-05-06", ""],
    ["b@x.example", "2019-03-02", "", "unsubscribed"],
    ["c@x.example", "", "", "unsubscribed"],
    ["d@x.example", "2019-03-02", "", "bounced"],
    ["e@x.example", "2019-03-02", "2021-05-06", "subscribed"],
  ]);
  const [given, ended] = ["2019-03-02T00:00:00.000+00:00", "2021-05-06T00:00:00.000+00:00"];
  const both = [`consent.given ${given}`, `consent.withdrawn ${ended}`];
  assert.deepEqual(
    rows.map(
      (row) => row.kind === "filled" && [row.patch.get("consent_at"), row.events.map(({ key }) => key)],
    ),
    [
      [ended, both],
      [undefined, [`consent.given ${given}`]],
      [undefined, []],
      [given, []],
      [ended, both],
    ],
  );
  assert.deepEqual(saidOf(rows), [OUT, OUT, OUT, DNC, OUT]);
});

test("a mapping can say that everybody in a file opted out", () => {
  const mapping: ImportMapping = { columns: { email: "email" }, set: { opt_out: "withdrawn" } };
  assert.deepEqual(saidOf(readAs(["email"], [["a@x.example"]], mapping).rows), [OUT]);
});
