import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { bodyOf, refusalOf } from "../api/support/v1.ts";
import { lockWaits } from "../lock-waits.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { importText, leadsOf } from "./support/importing.ts";
import { acted, type ImportBody, sums, uploaded } from "./support/uploading.ts";

const WRITER = ["leads:read", "leads:write"] as const;

type Body = ImportBody & {
  opted_out: number;
  opt_outs_kept: number;
  skipped_columns: { name: string }[];
};

const MAILCHIMP = `"Email Address","First Name","Last Name","Phone Number","MEMBER_RATING","OPTIN_TIME","CONFIRM_TIME","CC","REGION","UNSUB_TIME","UNSUB_CAMPAIGN_TITLE","UNSUB_REASON","LEID","TAGS"
"paul@mc-a.example","Paul","B","+1 512 555 0144","2","2019-03-02 10:00:00","2019-03-02 10:00:00","US","TX","2021-05-06 07:08:09","May","NORMAL","77","""Blog"""
`;
const HUBSPOT = `"Record ID","First Name","Last Name","Email","Phone Number","Lead Status","Create Date","Lifecycle Stage","Unsubscribed from all email"
"2044","Ida","Moss","ida@hs-a.example","+1 202-555-0188","NEW","2026-03-12 09:14","Lead","true"
"2045","Max","Moss","max@hs-a.example","","NEW","2026-03-12 09:15","Lead","false"
`;
const SUITECRM = `"First Name","Last Name","ID","Job Title","Account Name","Email Address","Mobile","Lead Source","Do Not Call","Date Created"
"Gil","Ross","11111111-0b27-4499-8b22-cd01ee41501a","Buyer","Ross & Sons","gil@su-a.example","(807) 271-2100","Self Generated","1","2023-02-06 06:30"
"Amy","Ross","21111111-0b27-4499-8b22-cd01ee41501a","Buyer","Ross & Sons","amy@su-a.example","","Self Generated","0","2023-02-06 06:30"
`;
const ZOHO = `Record Id,Lead Owner,Company,First Name,Last Name,Email,Lead Source,Created Time,City,Country,Email Opt Out,Tag
zcrm_77001,Pat Lee,Quarry Ltd,Rob,Stone,rob@zo-a.example,Cold Call,2026-02-11 09:32:14,Leeds,United Kingdom,true,"hot,vip"
`;

/** Uploads, checks and commits a file with the mapping that is proposed for it, or with these changes of it. */
async function imported(the: World, key: KeyActor, file: string, more: object = {}): Promise<Body> {
  const { id, mapping } = await uploaded(the, key, file);
  await bodyOf(await key.send("PUT", `/api/v1/imports/${id}/mapping`, { ...mapping, ...more }));
  const { dry_run: dry } = await acted(key, id, "dry-run");
  const done = (await acted(key, id, "commit")) as Body;
  const { finished_at: _, repeated: __, ...counts } = dry ?? {};
  assert.deepEqual(
    { ...counts },
    Object.fromEntries(Object.keys(counts).map((name) => [name, done[name as keyof Body]])),
    "the dry run has the commit's counts",
  );
  return done;
}

/** What the leads say of contact and consent, by e-mail. */
const saidOf = async (the: World) =>
  Object.fromEntries(
    (await leadsOf(the)).map((lead) => [
      lead.email,
      [lead.do_not_contact, lead.consent_status, lead.consent_at],
    ]),
  );

const consentEvents = (the: World): Promise<object[]> =>
  the.sql(
    "SELECT type, title, occurred_at AS at FROM store.event WHERE project_id = $1 AND type LIKE 'consent.%' ORDER BY occurred_at",
    [the.project.id],
  );

test("Mailchimp's unsubscribed: consent is withdrawn on its date, and when it was given is on the timeline", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const [given, withdrawn] = [new Date("2019-03-02T10:00:00Z"), new Date("2021-05-06T07:08:09Z")];
  for (const [i, counts] of [
    [1, 1, 0, 0, 0, 0],
    [1, 0, 0, 1, 0, 0],
  ].entries()) {
    const done = await imported(the, key, MAILCHIMP);
    assert.deepEqual([sums(done), done.opted_out, done.opt_outs_kept], [counts, 1, 0], `import ${i + 1}`);
    assert.deepEqual(await saidOf(the), { "paul@mc-a.example": [true, "withdrawn", withdrawn] });
    assert.deepEqual(await consentEvents(the), [
      { type: "consent.given", title: "Consent given", at: given },
      { type: "consent.withdrawn", title: "Consent withdrawn", at: withdrawn },
    ]);
  }
});

test("a consent that a lead has is withdrawn by a file that says so, without a date too, and the file's own is history", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const lead = { email: "a@x.example", consent_status: "given", consent_at: "2019-01-01T00:00:00Z" };
  await bodyOf(await key.send("POST", "/api/v1/leads", lead), 201);
  const done = await imported(
    the,
    key,
    "email,consent_at,Marketing status\na@x.example,2020-01-01,Unsubscribed\nb@x.example,2020-01-01,subscribed\nc@x.example,,No consent\n",
  );
  assert.deepEqual([done.failed, done.opted_out], [0, 2]);
  const [former, own] = [new Date("2019-01-01T00:00:00Z"), new Date("2020-01-01T00:00:00Z")];
  assert.deepEqual(await saidOf(the), {
    "a@x.example": [true, "withdrawn", former],
    "b@x.example": [false, null, own],
    "c@x.example": [true, null, null],
  });
  assert.deepEqual(await consentEvents(the), [{ type: "consent.given", title: "Consent given", at: own }]);
});

test("HubSpot, SuiteCRM and Zoho: who opted out is not to be contacted, and the dry run counts them", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const figures = async (file: string) => {
    const { failed, opted_out: out, opt_outs_kept: kept } = await imported(the, key, file);
    return [failed, out, kept];
  };
  assert.deepEqual(await figures(HUBSPOT), [0, 1, 0]);
  assert.deepEqual(await figures(SUITECRM), [0, 1, 0]);
  assert.deepEqual(await figures(ZOHO), [0, 1, 0]);
  assert.deepEqual(await saidOf(the), {
    "ida@hs-a.example": [true, "withdrawn", null],
    "max@hs-a.example": [false, null, null],
    "gil@su-a.example": [true, null, null],
    "amy@su-a.example": [false, null, null],
    "rob@zo-a.example": [true, "withdrawn", null],
  });
  assert.deepEqual(
    await figures(HUBSPOT.replaceAll(",Lead,", ",Buyer,").replaceAll('"true"', '"false"')),
    [0, 0, 1],
  );
  assert.deepEqual((await saidOf(the))["ida@hs-a.example"], [true, "withdrawn", null]);
});

test("an unknown value in a column of opt-outs opts out, and a given mapping says what it means or its row fails", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const file =
    "email,Email Opt Out,Do not call\na@x.example,perhaps,\nb@x.example,,perhaps\nc@x.example,no,no\n";
  const made = await uploaded(the, key, file);
  const checked = (await acted(key, made.id, "dry-run")) as Body;
  assert.deepEqual([sums(checked.dry_run ?? {}), checked.dry_run?.opted_out], [[3, 3, 0, 0, 0, 0], 2]);
  const given = { email: "email", "Email Opt Out": "opt_out", "Do not call": "do_not_contact" };
  await bodyOf(await key.send("PUT", `/api/v1/imports/${made.id}/mapping`, { columns: given }));
  const done = (await acted(key, made.id, "commit")) as Body;
  assert.deepEqual([sums(done), done.opted_out], [[3, 1, 0, 0, 0, 2], 0]);
  const { errors: rows } = await bodyOf<{ errors: { errors: { column: string; code: string }[] }[] }>(
    await key.send("GET", `/api/v1/imports/${made.id}/errors`),
  );
  assert.deepEqual(
    rows.flatMap(({ errors }) => errors.map(({ column, code }) => [column, code])),
    [
      ["Email Opt Out", "unknown_option"],
      ["Do not call", "not_a_boolean"],
    ],
  );
  const meant = (field: string, to: string) => ({ field, values: { perhaps: to } });
  const columns = {
    email: "email",
    "Email Opt Out": meant("opt_out", "do_not_contact"),
    "Do not call": meant("do_not_contact", ""),
  };
  assert.equal((await imported(the, key, file, { columns })).opted_out, 1);
});

test("our own export imported again clears no opt-out, unless the mapping says so; everything else is written", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const consent = { consent_status: "withdrawn", consent_at: "2021-05-06T07:08:09Z" };
  const lead = { email: "a@x.example", name: "Ana", do_not_contact: false, ...consent };
  const { id } = await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/leads", lead), 201);
  const exported = await key.send("POST", "/api/leads/export/", { project_id: the.project.id });
  const file = await exported.text();
  assert.match(file, /do_not_contact/);
  const out = { do_not_contact: true, name: "Anna" };
  await bodyOf(await key.send("PATCH", `/api/v1/leads/${id}`, out));
  const stored = async () => (await leadsOf(the)).map(({ name, do_not_contact: each }) => [name, each]);
  const kept = await imported(the, key, file);
  assert.deepEqual([sums(kept), kept.opt_outs_kept, kept.opted_out], [[1, 0, 1, 0, 0, 0], 1, 0]);
  assert.deepEqual(await stored(), [["Ana", true]]);
  const again = await imported(the, key, file);
  assert.deepEqual([sums(again), again.opt_outs_kept], [[1, 0, 0, 1, 0, 0], 1]);
  const cleared = await imported(the, key, file, { clear_opt_out: true });
  assert.deepEqual([sums(cleared), cleared.opt_outs_kept], [[1, 0, 1, 0, 0, 0], 0]);
  assert.deepEqual(await stored(), [["Ana", false]]);
});

test("an opt-out that comes while a file with an older export is imported is not lost", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  await bodyOf(await key.send("POST", "/api/v1/leads", { email: "a@x.example" }), 201);
  const other = new pg.Client({ connectionString: the.databaseUrl });
  await other.connect();
  await other.query("BEGIN");
  await other.query("UPDATE store.lead SET do_not_contact = true WHERE project_id = $1", [the.project.id]);
  const report = importText(the, "email,name,do_not_contact\na@x.example,Ana,false\n");
  while ((await lockWaits(the)) === 0) await sleep(5);
  await other.query("COMMIT");
  await other.end();
  assert.deepEqual([(await report).updated, (await report).opt_outs_kept], [1, 1]);
  assert.deepEqual(
    (await leadsOf(the)).map(({ name, do_not_contact: each }) => [name, each]),
    [["Ana", true]],
  );
});

test("rows of one file: a later false clears nothing that an earlier row or the lead says, however often it comes", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  await bodyOf(await key.send("POST", "/api/v1/leads", { email: "b@x.example", do_not_contact: true }), 201);
  const rows = ["a,true", "a,false", "a,false", "b,false", "b,no", "a,true", "c,false", "c,true", "c,"];
  const done = await imported(
    the,
    key,
    `email,do_not_contact\n${rows.map((row) => row.replace(",", "@x.example,")).join("\n")}\n`,
  );
  assert.deepEqual([done.opted_out, done.opt_outs_kept], [3, 4]);
  assert.deepEqual(
    (await leadsOf(the)).map(({ do_not_contact: each }) => each),
    [true, true, true],
  );
});

test("fill: an opt-out is written to a lead that has none, and none is cleared", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  for (const [email, out] of [
    ["a@x.example", false],
    ["b@x.example", true],
  ])
    await bodyOf(await key.send("POST", "/api/v1/leads", { email, name: "Ana", do_not_contact: out }), 201);
  const file = "email,name,do_not_contact\na@x.example,Bo,true\nb@x.example,Bo,false\n";
  for (const clear of [false, true]) await imported(the, key, file, { fill: true, clear_opt_out: clear });
  assert.deepEqual(
    (await leadsOf(the)).map(({ name, do_not_contact: each }) => [name, each]),
    [
      ["Ana", true],
      ["Ana", true],
    ],
  );
});

test("who may not read leads does not learn from an import whether somebody opted out", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const blind = await the.key(["leads:write"]);
  await bodyOf(await key.send("POST", "/api/v1/leads", { email: "a@x.example", do_not_contact: true }), 201);
  const made = await uploaded(the, blind, "email,do_not_contact\na@x.example,no\nb@x.example,yes\n");
  const done = (await acted(blind, made.id, "commit")) as Body;
  assert.deepEqual([done.opted_out, done.opt_outs_kept], [1, 0]);
  const seen = await bodyOf<Body>(await key.send("GET", `/api/v1/imports/${made.id}`));
  assert.deepEqual([seen.opted_out, seen.opt_outs_kept], [1, 1]);
});

test("clear_opt_out is refused for rows of a dataset", async () => {
  await using the = await world();
  const key = await the.key(["datasets:read", "datasets:write", "datasets:import", "schema:write"]);
  const dataset = { key: "firms", name: "Firms", columns: [{ key: "opt_out", label: "O", type: "text" }] };
  await bodyOf(await key.send("POST", "/api/v1/datasets", dataset), 201);
  const made = await uploaded(the, key, "opt_out\nmaybe\n", { query: "?dataset=firms" });
  const mapping = { columns: { opt_out: "opt_out" }, clear_opt_out: true };
  const refused = await key.send("PUT", `/api/v1/imports/${made.id}/mapping`, mapping);
  const { status, paths } = await refusalOf(refused);
  assert.deepEqual([status, paths], [400, ["$.clear_opt_out"]]);
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [1, 1, 0, 0, 0, 0]);
});

test("an import of people who opted out and were deleted or erased leaves them not contactable, and counts them in the dry run", async () => {
  await using the = await world();
  const key = await the.key([...WRITER, "leads:erase"]);
  const create = async (lead: object) =>
    (await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/leads", lead), 201)).id;
  const deleted = await create({ email: "ida@hs-a.example", do_not_contact: true });
  const erased = await create({ phone: "+55 11 91234-5678", do_not_contact: true });
  await key.send("DELETE", `/api/v1/leads/${deleted}`);
  await key.send("DELETE", `/api/v1/leads/${erased}?erase=true`);
  const rows = ["Ida,ida@hs-a.example,", "Max,max@hs-a.example,+5511912345678", "Bo,bo@hs-a.example,"];
  const done = await imported(the, key, `name,email,phone\n${rows.join("\n")}\n`);
  assert.deepEqual([done.created, done.opted_out, done.opt_outs_kept], [3, 0, 2]);
  assert.deepEqual(await saidOf(the), {
    "ida@hs-a.example": [true, null, null],
    "max@hs-a.example": [true, null, null],
    "bo@hs-a.example": [false, null, null],
  });
});
