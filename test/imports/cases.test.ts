import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Import } from "../../src/contract/imports/import.ts";
import type { Lead } from "../../src/contract/leads/lead.ts";
import { refusalOf } from "../api/support/v1.ts";
import { type KeyActor, type World, world } from "../world.ts";
import type { Answer } from "./support/corpus.ts";
import {
  answered,
  committed,
  eventsOf,
  leadsOf,
  notesOf,
  post,
  projectKey,
  questionsOf,
  upload,
} from "./support/corpus-import.ts";
import { assertLead } from "./support/corpus-lead.ts";

/** An upload of one of the files, and what a test does with it. */
interface Upload {
  the: World;
  key: KeyActor;
  file: string;
  bytes: Buffer;
  /** The answer of the upload. */
  made: Import;
  /** Answers, checks and commits it; returns it with the project's leads. */
  commit(answers?: readonly Answer[]): Promise<{ done: Import; leads: Lead[] }>;
}

/** A file, what a careful person expects of it, the test of that, and where the project is. */
type Told = [
  ...[file: string, expects: string, check: (upload: Upload) => Promise<void>],
  place?: { country?: string; timezone?: string },
];

const TOLD: readonly Told[] = [
  [
    "linkedin-connections.csv",
    `the header is row 4; two leads; Tom has no e-mail and keeps "O'Neil, MBA"; profile URL kept; identified by e-mail, else asks`,
    async ({ made, commit }) => {
      assert.equal(made.file.header_row, 4);
      assert.equal(questionsOf(made, "identity").length, 1);
      const { done, leads } = await commit([{ kind: "identity", choose: "URL" }]);
      assert.deepEqual([done.created, done.failed, leads.length], [2, 0, 2]);
      const url = (name: string) => ({ somewhere: [`https://www.linkedin.com/in/${name}`] });
      assertLead(leads, { email: "marta@li-a.example", ...url("marta-reyes-x") }, null);
      const tom = { display_name: "Tom O'Neil, MBA", email: null, last_name: "O'Neil, MBA" };
      assertLead(leads, { ...tom, ...url("tom-oneil-x") }, null);
    },
  ],
  [
    "google-contacts.csv",
    `program: Google Contacts; Nora: main e-mail nora@gc-a.example, further nora.home@ and n3@; two phones (main and further); note on the timeline with its line break; labels as tags (Leads, without "* myContacts"); imported twice: 2 leads, not 4; the second row is a company with an e-mail`,
    async ({ the, key, file, bytes, made, commit }) => {
      assert.equal(made.preset?.name, "google_contacts");
      const answers: Answer[] = [{ kind: "note", choose: "note", optional: true }];
      const { leads } = await commit(answers);
      const nora = {
        email: "nora@gc-a.example",
        emails: ["nora.home@gc-a.example", "n3@gc-a.example"],
        phone_e164: "+447700900211",
        phones: ["+447700900212"],
        tags: ["Leads"],
      };
      assertLead(leads, nora, null);
      assertLead(leads, { email: "desk@gc-a.example", company: "Only A Firm", tags: [] }, null);
      const lead = leads.find(({ email }) => email === nora.email);
      assert.ok(lead);
      assert.deepEqual(await notesOf(key, lead), ["Met at\nthe fair"]);
      const again = await answered(key, await upload(the, key, file, bytes), answers);
      assert.equal((await committed(key, again)).created, 0);
      assert.equal((await leadsOf(key)).length, 2);
      assert.deepEqual(await notesOf(key, lead), ["Met at\nthe fair"]);
    },
  ],
  [
    "outlook-de.csv",
    "program: Outlook; Käthe Weiß, mobile as main phone, 0911… as further (project country DE), company, city, country DE",
    async ({ made, commit }) => {
      assert.deepEqual([made.preset?.name, made.file.encoding], ["outlook", "windows-1252"]);
      const { leads } = await commit();
      const kaethe = {
        ...{ email: "kaethe@ol-a.example", display_name: "Käthe Weiß", phone_e164: "+491712345678" },
        ...{ phones: ["+49911123456"], company: "Bäckerei Weiß", city: "Nürnberg" },
      };
      assertLead(leads, kaethe, "DE");
      assert.equal(leads[0]?.country, "DE");
    },
    { country: "DE" },
  ],
  [
    "mailchimp-unsubscribed.csv",
    "`do_not_contact` true, consent withdrawn on 2021-05-06; no consent that stands; consent date kept as history",
    async ({ key, commit }) => {
      const { leads } = await commit();
      const consent = { consent_status: "withdrawn", consent_at: "2021-05-06T07:08:09Z" };
      assertLead(leads, { email: "paul@mc-a.example", do_not_contact: true, ...consent }, null);
      const events = (await Promise.all(leads.map((lead) => eventsOf(key, lead, "consent.*")))).flat();
      assert.deepEqual(
        events.map(({ type, occurred_at: at }) => [type, new Date(at).toISOString().slice(0, 10)]).sort(),
        [
          ["consent.given", "2019-03-02"],
          ["consent.withdrawn", "2021-05-06"],
        ],
      );
    },
  ],
  [
    "hubspot-opt-out.csv",
    "Ida opted out, Max not; counted in the dry run",
    async ({ commit }) => {
      const { done, leads } = await commit();
      assert.equal(done.dry_run?.opted_out, 1);
      for (const [email, out] of [
        ["ida@hs-a.example", true],
        ["max@hs-a.example", false],
      ])
        assertLead(leads, { email, do_not_contact: out }, null);
    },
  ],
  [
    "zoho-leads.csv",
    "program: Zoho; external id zcrm_77001; opted out; two phones, two e-mails; status unknown: asks; currency GBP",
    async ({ made, commit }) => {
      assert.equal(made.preset?.name, "zoho");
      assert.equal(questionsOf(made, "option", "Lead Status").length, 1);
      const { leads } = await commit([{ kind: "option", columns: ["Lead Status"], choose: "keep" }]);
      const rob = { email: "rob@zo-a.example", emails: ["rob2@zo-a.example"], currency: "GBP" };
      assertLead(leads, { ...rob, external_id: "zcrm_77001", do_not_contact: true }, null);
      const [{ phone, phones = [], lifecycle_stage: stage } = {}] = leads;
      assert.deepEqual([phone, ...phones].sort(), ["555-0130", "555-0131"]);
      assert.equal(stage, "Attempted to Contact");
    },
  ],
  [
    "cyrillic-1251.csv",
    "Пётр Петров, Казань; if unsure, asks with both readings; `encoding=windows-1251` is taken",
    async ({ the, key, file, bytes, made, commit }) => {
      const [question] = questionsOf(made, "encoding");
      if (question !== undefined) {
        const readings = question.choices.map(({ examples }) => examples.join("\n"));
        const isShown = readings.some((text) => /Фамилия|Пётр/.test(text));
        assert.ok(isShown && new Set(readings).size > 1, JSON.stringify(question));
      }
      const named = await upload(the, key, file, bytes, "&encoding=windows-1251");
      assert.equal(named.file.encoding, "windows-1251");
      assert.deepEqual(questionsOf(named, "encoding"), []);
      const { leads } = await commit([{ kind: "encoding", choose: "windows-1251", optional: true }]);
      assertLead(leads, { email: "petr@ru-a.example", display_name: "Пётр Петров", city: "Казань" }, null);
    },
  ],
  [
    "shift-jis.csv",
    "佐藤花子, 株式会社見本, 横浜市",
    async ({ made, commit }) => {
      assert.equal(made.file.encoding, "shift_jis");
      const { leads } = await commit();
      assertLead(leads, { display_name: "佐藤花子", company: "株式会社見本", city: "横浜市" }, null);
    },
  ],
  [
    "mac-roman-cr.csv",
    "Zoé Muñoz, Bogotá",
    async ({ commit }) => {
      const { leads } = await commit([{ kind: "encoding", choose: "macintosh", optional: true }]);
      assertLead(leads, { display_name: "Zoé Muñoz", email: "zoe@mac-a.example", city: "Bogotá" }, null);
    },
  ],
  [
    "title-rows.csv",
    "header is the row that begins with Nome; the total row is proposed to be left out; main phone asks or takes the mobile, the two others are further phones; none dropped (project country BR)",
    async ({ made, commit }) => {
      assert.deepEqual([made.file.header_row, made.columns[0]?.name], [4, "Nome"]);
      assert.deepEqual(
        questionsOf(made, "rows").map((each) => each.default),
        ["leave_out"],
      );
      const { done, leads } = await commit([{ kind: "main_phone", choose: "Celular", optional: true }]);
      assert.deepEqual([done.created, done.failed], [1, 0]);
      const phones = ["+551133441122", "+5511987653301"];
      assertLead(leads, { email: "bia@tr-a.example", phone_e164: "+5511987653300", phones }, "BR");
    },
    { country: "BR" },
  ],
  [
    "salesforce-report-footer.csv",
    "one lead; two footer lines are proposed to be left out, not failures; status asks; 9/14/2026 is read by the file's own evidence",
    async ({ made, commit }) => {
      const [footer] = questionsOf(made, "rows");
      assert.equal(footer?.default, "leave_out");
      const shown = JSON.stringify(footer);
      for (const text of ["Grand Totals (1 records)", "Confidential Information"])
        assert.ok(shown.includes(text), shown);
      assert.equal(questionsOf(made, "option", "Lead Status").length, 1);
      assert.deepEqual(questionsOf(made, "date_order"), []);
      const { done, leads } = await commit([
        { kind: "option", choose: "is:contacted" },
        { kind: "decimals", choose: "point", optional: true },
      ]);
      assert.deepEqual([done.created, done.failed, leads.length], [1, 0, 1]);
      const vera = { email: "vera@sf-a.example", status: "contacted", created_at: "2026-09-14T00:00:00Z" };
      assertLead(leads, vera, null);
    },
  ],
  [
    "meta-with-agency-columns.csv",
    "program: Meta; two columns that look like a status: asks; the test lead is left out and said so; OBS becomes a note if chosen; phone +5581987651212",
    async ({ key, made, commit }) => {
      assert.equal(made.preset?.name, "meta_lead_ads");
      const [two] = questionsOf(made, "two_columns");
      assert.deepEqual([...(two?.columns ?? [])].sort(), ["STATUS", "lead_status"]);
      assert.equal(questionsOf(made, "rows").length, 1);
      const { done, leads } = await commit([
        { kind: "two_columns", choose: "STATUS" },
        { kind: "option", choose: "keep", optional: true },
        { kind: "note", columns: ["OBS"], choose: "note", optional: true },
        { kind: "unused_column", columns: ["OBS"], choose: "note", optional: true },
      ]);
      assert.deepEqual([done.created, done.skipped, done.failed], [1, 1, 0]);
      assertLead(leads, { email: "lia@me-a.example", phone_e164: "+5581987651212" }, null);
      assert.deepEqual(await Promise.all(leads.map((lead) => notesOf(key, lead))), [["ligar amanhã"]]);
    },
  ],
  [
    "google-ads-test-lead.csv",
    "the test lead is left out and said so; Una: `Work email` is her main e-mail, submitted Oct 1, 10:25:33 in the project's zone",
    async ({ made, commit }) => {
      assert.equal(questionsOf(made, "rows").length, 1);
      const { done, leads } = await commit();
      assert.deepEqual([done.created, done.skipped, leads.length], [1, 1, 1]);
      assertLead(leads, { email: "una@ga-a.example", created_at: "2026-10-01T14:25:33Z" }, null);
    },
    { timezone: "America/New_York" },
  ],
  [
    "suitecrm.csv",
    '`do_not_contact` true ("Do Not Call" is about calls: asks if the project keeps consent by channel), two phones, two e-mails; the row with Deleted = 1 is proposed to be left out',
    async ({ made, commit }) => {
      assert.deepEqual(
        questionsOf(made, "rows").map((each) => each.default),
        ["leave_out"],
      );
      const { done, leads } = await commit([{ kind: "option", choose: "keep", optional: true }]);
      assert.deepEqual([done.created, leads.length, done.failed], [1, 1, 0]);
      const gil = { email: "gil@su-a.example", emails: ["gil2@su-a.example"], do_not_contact: true };
      assertLead(leads, gil, null);
      const [{ phone, phones = [] } = {}] = leads;
      assert.deepEqual([phone, ...phones].sort(), ["(807) 271-2100", "(958) 982-2100"]);
    },
  ],
  [
    "apollo.csv",
    "phone +15125550161 without its apostrophe, the corporate one further; profile URL",
    async ({ commit }) => {
      const { leads } = await commit([{ kind: "option", choose: "keep", optional: true }]);
      const kim = { email: "kim@ap-a.example", phone_e164: "+15125550161", phones: ["+15125550162"] };
      assertLead(leads, { ...kim, somewhere: ["http://www.linkedin.com/in/kim-day-x"] }, null);
    },
  ],
  [
    "twenty-people.csv",
    "program: Twenty; Lou Park, lou@ and further lou2@, phone +14155550122, company Parkline",
    async ({ made, commit }) => {
      assert.equal(made.preset?.name, "twenty");
      const { leads } = await commit();
      const lou = { email: "lou@tw-a.example", emails: ["lou2@tw-a.example"], display_name: "Lou Park" };
      assertLead(leads, { ...lou, phone_e164: "+14155550122", company: "Parkline" }, null);
    },
  ],
];

const bytesOf = (file: string): Buffer => readFileSync(new URL(`cases/${file}`, import.meta.url));

test("each of these files becomes what a careful person expects of it", async (t) => {
  await using the = await world();
  for (const [file, expects, check, { country, timezone = "UTC" } = {}] of TOLD) {
    await t.test(`${file}: ${expects}`, async () => {
      const key = await projectKey(the, { country: country ?? null, timezone });
      const bytes = bytesOf(file);
      const made = await upload(the, key, file, bytes);
      const commit = async (answers: readonly Answer[] = []) => {
        const done = await committed(key, await answered(key, made, answers));
        return { done, leads: await leadsOf(key) };
      };
      await check({ the, key, file, bytes, made, commit });
    });
  }
});

test("page-saved-as.csv: refused: this is a web page, not a table", async () => {
  await using the = await world();
  const key = await projectKey(the, { country: null, timezone: "UTC" });
  const refused = await refusalOf(await post(the, key, "page-saved-as.csv", bytesOf("page-saved-as.csv")));
  assert.deepEqual([refused.status, refused.code], [422, "web_page"]);
  assert.match(refused.message, /web page/);
});
