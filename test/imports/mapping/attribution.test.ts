import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../../api/support/v1.ts";
import { world } from "../../world.ts";
import { leadsOf } from "../support/importing.ts";
import { acted, type ImportBody, sums, uploaded } from "../support/uploading.ts";

const WRITER = ["leads:read", "leads:write", "schema:write"] as const;

type WithSkipped = ImportBody & { skipped_columns: { name: string; filled: number }[] };

const FILES: Record<
  string,
  { header: string; row: string; lead: Record<string, unknown>; custom: object; skipped: string[] }
> = {
  meta_lead_ads: {
    header:
      "id,created_time,ad_id,ad_name,adset_id,adset_name,campaign_id,campaign_name,form_id,form_name,is_organic,platform,budget?,full_name,email",
    row: "l:1,2024-05-01T10:00:00-0300,ag:11,Ad A,as:22,Set B,c:33,Spring,f:44,Form D,false,ig,a lot,Ana,ana@x.example",
    lead: { external_id: "1", campaign: "Spring", source: "ig", email: "ana@x.example" },
    custom: {
      ...{ ad_id: "11", ad_name: "Ad A", adset_id: "22", adset_name: "Set B" },
      ...{ campaign_id: "33", form_id: "44", form_name: "Form D", is_organic: "false" },
    },
    skipped: ["budget?"],
  },
  google_ads: {
    header:
      "Lead ID,Full name,User email,GCLID,Campaign ID,Campaign name,Ad group ID,Form ID,Submission time,Is test",
    row: "g1,Bo,bo@x.example,Cj0KCQ-x_1,101,Search,202,303,2024-05-02 10:00:00 -0300,FALSE",
    lead: {
      external_id: "g1",
      campaign: "Search",
      created_at: new Date("2024-05-02T13:00:00Z"),
      email: "bo@x.example",
    },
    custom: { gclid: "Cj0KCQ-x_1", campaign_id: "101", ad_group_id: "202", form_id: "303" },
    skipped: [],
  },
  rd_station: {
    header:
      "Email,Nome,Estágio no funil,Dono do Lead,Data da primeira conversão,Origem da primeira conversão,Identificador da primeira conversão,Data da última conversão,Origem da última conversão,Eventos (Últimos 100)",
    row: "cy@x.example,Cy,Lead,Fora da Equipe,2024-05-03 10:00:00 -0300,Busca Paga | Google,ebook,2024-06-03 10:00:00 -0300,Direto,ebook; webinar",
    lead: {
      ...{ source: "Busca Paga | Google", first_touch: new Date("2024-05-03T13:00:00Z"), owner_id: null },
      last_touch: new Date("2024-06-03T13:00:00Z"),
    },
    custom: { first_conversion: "ebook", last_conversion_source: "Direto", dono_do_lead: "Fora da Equipe" },
    skipped: ["Eventos (Últimos 100)"],
  },
  salesforce: {
    header: "Id,LastName,FirstName,LeadSource,Status,Email,Região_Vendas__c,2nd_Score__c,Empty__c",
    row: "00Q1,Di,Ana,Web,Open,di@x.example,South,12,",
    lead: { external_id: "00Q1", source: "Web" },
    custom: { regiao_vendas: "South", field_2nd_score: "12" },
    skipped: [],
  },
};

test("attribution of every program is kept, in standard fields or in custom fields that the commit creates", async (t) => {
  await using the = await world();
  for (const [name, { header, row, lead, custom, skipped }] of Object.entries(FILES))
    await t.test(name, async () => {
      const project = await the.newProject(the.person, name);
      const key = await the.key(WRITER, project.id);
      const made = (await uploaded(the, key, `${header}\n${row}\n`)) as WithSkipped;
      assert.equal(made.preset?.name, name);
      assert.deepEqual(
        made.skipped_columns,
        skipped.map((column) => ({ name: column, filled: 1 })),
      );
      const fields = () =>
        the.sql<{ key: string }>("SELECT key FROM store.custom_field WHERE project_id = $1 ORDER BY key", [
          project.id,
        ]);
      await acted(key, made.id, "dry-run");
      assert.deepEqual(await fields(), [], "a dry run creates no fields");
      assert.deepEqual(sums(await acted(key, made.id, "commit")), [1, 1, 0, 0, 0, 0]);
      assert.deepEqual(
        (await fields()).map(({ key: each }) => each),
        Object.keys(custom).sort(),
      );
      const [stored] = await the.sql<Record<string, unknown>>(
        "SELECT * FROM store.lead WHERE project_id = $1",
        [project.id],
      );
      assert.deepEqual(stored?.custom, custom);
      for (const [field, value] of Object.entries(lead)) assert.deepEqual(stored?.[field], value, field);
    });
});

test("a key without schema:write gets no new fields: what cannot be kept is listed, and a mapping that needs some is refused", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const file = "id,created_time,ad_id,form_name,email\nl:1,2024-05-01T10:00:00Z,ag:1,Form,ana@x.example\n";
  const made = (await uploaded(the, key, file)) as WithSkipped;
  assert.deepEqual(made.skipped_columns, [
    { name: "ad_id", filled: 1 },
    { name: "form_name", filled: 1 },
  ]);
  const mapping = {
    columns: { email: "email", ad_id: "custom.ad" },
    fields: { ad: { label: "Ad", type: "text" }, unused: { label: "Unused", type: "text" } },
  };
  const mapped = await bodyOf<WithSkipped>(
    await key.send("PUT", `/api/v1/imports/${made.id}/mapping`, mapping),
  );
  assert.deepEqual(
    mapped.skipped_columns.map(({ name }) => name),
    ["id", "created_time", "form_name"],
  );
  const { error } = await bodyOf<{ error: { code: string } }>(
    await key.send("POST", `/api/v1/imports/${made.id}/commit`),
    403,
  );
  assert.equal(error.code, "missing_permission");
  const may = await the.key(WRITER);
  assert.deepEqual(sums(await acted(may, made.id, "commit")), [1, 1, 0, 0, 0, 0]);
  assert.deepEqual(
    await the.sql("SELECT key FROM store.custom_field WHERE project_id = $1", [the.project.id]),
    [{ key: "ad" }],
  );
});

test("owners are members by e-mail, name or id; others are kept in a custom field, or fail where a mapping demands members", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const [owner] = await the.sql<{ id: string; email: string; name: string }>(
    "SELECT p.id, p.email, p.name FROM leadgate.person p JOIN leadgate.membership m ON m.person_id = p.id WHERE m.project_id = $1",
    [the.project.id],
  );
  assert.ok(owner);
  const named = [owner.email.toUpperCase(), owner.name.toUpperCase(), owner.id, "Somebody Else", ""];
  const rows = named.map((name, i) => `${i},p${i}@x.example,"${name}"`);
  const file = `Record ID,Email,Contact owner,Lead Status\n${rows.map((row) => `${row},`).join("\n")}\n`;
  const made = await uploaded(the, key, file);
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [5, 5, 0, 0, 0, 0]);
  const leads = await leadsOf(the);
  const of = (i: number) => leads.find((lead) => lead.external_id === `${i}`);
  assert.deepEqual(
    [0, 1, 2, 3, 4].map((i) => of(i)?.owner_id),
    [owner.id, owner.id, owner.id, null, null],
  );
  const custom = (i: number) => (of(i)?.custom as Record<string, string> | undefined)?.contact_owner;
  assert.deepEqual([custom(3), custom(4)], ["Somebody Else", undefined]);
  const strict = await uploaded(the, key, file);
  const mapping = { columns: { "Record ID": "external_id", "Contact owner": "owner_id" } };
  await bodyOf(await key.send("PUT", `/api/v1/imports/${strict.id}/mapping`, mapping));
  assert.deepEqual(sums((await acted(key, strict.id, "dry-run")).dry_run ?? {}), [5, 0, 0, 4, 0, 1]);
});

test("two e-mails or phones in one cell are two, and are added to the lists that a lead has", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const file = [
    "external_id,email,phone,emails",
    "1,a@x.example; b@x.example,+55 11 96123-4567 / +55 11 96123-4568,",
    '2,"c@x.example, d@x.example",+55 11 96123-4569,e@x.example f@x.example',
    "3,g@x.example h@x.example,(11) 3333-4444/5555,",
    '4,i@x.example/j@x.example,"+55 11 96123-4560\n+55 11 96123-4561",',
    '5,"k@x.example\nl@x.example; K@x.example",,',
    "6,m@x.example not-one,,",
  ].join("\n");
  const made = await uploaded(the, key, file);
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [6, 5, 0, 0, 0, 1]);
  const shown = async () =>
    Object.fromEntries(
      (await leadsOf(the)).map((each) => [
        each.external_id,
        [each.email, each.emails, each.phone, each.phones],
      ]),
    );
  assert.deepEqual(await shown(), {
    1: ["a@x.example", ["b@x.example"], "+55 11 96123-4567", ["+55 11 96123-4568"]],
    2: ["c@x.example", ["e@x.example", "f@x.example", "d@x.example"], "+55 11 96123-4569", []],
    3: ["g@x.example", ["h@x.example"], "(11) 3333-4444/5555", []],
    4: ["i@x.example", ["j@x.example"], "+55 11 96123-4560", ["+55 11 96123-4561"]],
    5: ["k@x.example", ["l@x.example"], null, []],
  });
  const again = await uploaded(the, key, "external_id,email\n1,a@x.example z@x.example\n");
  assert.deepEqual(sums(await acted(key, again.id, "commit")), [1, 0, 1, 0, 0, 0]);
  assert.deepEqual((await shown())[1]?.[1], ["b@x.example", "z@x.example"]);
});

test("a guessed mapping keeps attribution of up to 500 characters, and leaves out columns with a longer cell, whose rows would fail", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const rows = [1, 2, 3, 4, 5, 6].map((i) => `00Q${i},Di${i},Web,${i === 6 ? "n".repeat(600) : `n${i}`}`);
  const notes = await uploaded(the, key, `Id,LastName,LeadSource,Notes__c\n${rows.join("\n")}\n`);
  assert.equal(notes.mapping.columns.Notes__c, undefined);
  assert.deepEqual(sums(await acted(key, notes.id, "commit")), [6, 6, 0, 0, 0, 0]);
  const conversion = "p".repeat(150);
  const gclid = "g".repeat(500);
  const made = await uploaded(
    the,
    key,
    `Record ID,Email,Lead Status,First Conversion\n71,a@x.example,,${conversion}\n`,
    { query: "?preset=hubspot" },
  );
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [1, 1, 0, 0, 0, 0]);
  const google = await uploaded(the, key, `Lead ID,User email,GCLID\ng1,b@x.example,${gclid}\n`, {
    query: "?preset=google_ads",
  });
  assert.deepEqual(sums(await acted(key, google.id, "commit")), [1, 1, 0, 0, 0, 0]);
  const of = new Map((await leadsOf(the)).map((lead) => [lead.external_id, lead.custom]));
  assert.deepEqual([of.get("71"), of.get("g1")], [{ first_conversion: conversion }, { gclid }]);
});

test("a row whose further e-mail finds no room in the lead's list fails, and the e-mail is not dropped", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const emails = Array.from({ length: 100 }, (_, i) => `e${i}@x.example`);
  await bodyOf(
    await key.send("POST", "/api/v1/leads", { external_id: "1", email: "a@x.example", emails }),
    201,
  );
  const made = await uploaded(
    the,
    key,
    "external_id,email\n1,a@x.example; z@x.example\n1,a@x.example; e5@x.example\n",
  );
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [2, 0, 0, 1, 0, 1]);
  const { errors } = await bodyOf<{ errors: { errors: { code: string }[] }[] }>(
    await key.send("GET", `/api/v1/imports/${made.id}/errors`),
  );
  assert.deepEqual(
    errors.map((row) => row.errors.map(({ code }) => code)),
    [["too_many"]],
  );
});

test("test leads of Google and Meta are skipped and counted; a mapping can name other values of a column", async () => {
  await using the = await world();
  const key = await the.key(WRITER);
  const rows = [
    "g1,a@x.example,c1,FALSE",
    "g2,b@x.example,c2,True",
    "g3,c@x.example,c3,",
    "g4,d@x.example,c4,sim",
  ];
  const file = `Lead ID,User email,GCLID,Is test\n${rows.join("\n")}\n`;
  const made = (await uploaded(the, key, file)) as WithSkipped;
  assert.deepEqual(made.skipped_columns, []);
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [4, 2, 0, 0, 2, 0]);
  const meta =
    "id,created_time,ad_id,email,full_name\nl:1,2024-05-01T10:00:00Z,ag:1,<test lead: dummy data>,Ana\n";
  assert.deepEqual(sums(await acted(key, (await uploaded(the, key, meta)).id, "commit")), [1, 0, 0, 0, 1, 0]);
  const own = await uploaded(the, key, "email,kind\ne@x.example,Trial\nf@x.example,lead\n");
  const put = async (mapping: object) => await key.send("PUT", `/api/v1/imports/${own.id}/mapping`, mapping);
  const missing = await bodyOf<{ error: { details: { path: string; code: string }[] } }>(
    await put({ columns: { email: "email" }, skip_if: { sort: ["trial"] } }),
    400,
  );
  assert.deepEqual(
    missing.error.details.map(({ path, code }) => [path, code]),
    [["$.skip_if.sort", "unknown_column"]],
  );
  await bodyOf(await put({ columns: { email: "email" }, skip_if: { kind: [" trial "] } }));
  assert.deepEqual(sums(await acted(key, own.id, "commit")), [2, 1, 0, 0, 1, 0]);
});
