import assert from "node:assert/strict";
import { test } from "node:test";
import iconv from "iconv-lite";
import { bodyOf, refusalOf } from "../api/support/v1.ts";
import { world } from "../world.ts";
import { countsOf, eventsOf, importText, leadsOf } from "./support/importing.ts";
import { acted, type ImportBody, openQuestions, send, sheetOf, sums, uploaded } from "./support/uploading.ts";

test("every encoding and delimiter is recognised, and gives the same leads", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const rows = [
    ["external_id", "name", "company", "value"],
    ["1", "Zoë Müller", "Ação; Ltda, \t|", "10.5"],
    ["2", "Renée", 'Q "1"', "3"],
  ];
  const encodings: [string, (text: string) => Buffer, boolean][] = [
    ["utf-8", (text) => Buffer.from(text), false],
    ["utf-8", (text) => Buffer.from(`\ufeff${text}`), true],
    ["windows-1252", (text) => iconv.encode(text, "windows-1252"), false],
    ["utf-16le", (text) => iconv.encode(text, "utf-16le", { addBOM: true }), true],
    ["utf-16be", (text) => iconv.encode(text, "utf-16be"), false],
  ];
  let created = 0;
  for (const [encoding, encode, bom] of encodings) {
    for (const delimiter of [",", ";", "\t", "|"]) {
      const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(delimiter));
      const made = await uploaded(the, key, encode(`${text.join("\r\n")}\r\n`));
      assert.deepEqual(
        [made.file.encoding, made.file.bom, made.file.delimiter, made.file.rows, made.state],
        [encoding, bom, delimiter, 2, "ready"],
      );
      const done = await acted(key, made.id, "commit");
      assert.equal(done.state, "done", JSON.stringify(done.error));
      assert.deepEqual(sums(done), created === 0 ? [2, 2, 0, 0, 0, 0] : [2, 0, 0, 2, 0, 0]);
      created += done.created;
    }
  }
  const leads = await leadsOf(the);
  assert.deepEqual(
    leads.map(({ name, company, value }) => [name, company, value]),
    [
      ["Zoë Müller", "Ação; Ltda, \t|", 10.5],
      ["Renée", 'Q "1"', 3],
    ],
  );
});

test("the dry run counts what the commit will, stores nothing, and matches leads that its own rows would create", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  await key.send("POST", "/api/v1/leads", { email: "old@x.org", name: "Old", company: "Acme" });
  const many = Array.from(
    { length: 4_500 },
    (_, i) => `e${i % 3_000},p${i % 3_000}@x.org,Person ${i % 3_000},`,
  );
  const file = [
    "external_id,email,name,score",
    ...many,
    ",old@x.org,New,",
    ",OLD@x.org,New,",
    "x,bad,,",
    ",,,",
    "y,,,z",
  ].join("\n");
  const made = await uploaded(the, key, file);
  const dry = await acted(key, made.id, "dry-run");
  assert.equal(dry.state, "ready", JSON.stringify(dry.error));
  assert.deepEqual(sums(dry.dry_run ?? {}), [4_505, 3_000, 1, 1_501, 1, 2]);
  assert.equal((await leadsOf(the)).length, 1);
  assert.equal((await eventsOf(the, "lead.updated")).length, 0);
  const done = await acted(key, made.id, "commit");
  assert.deepEqual(sums(done), [4_505, 3_000, 1, 1_501, 1, 2]);
  assert.equal((await leadsOf(the)).length, 3_001);
});

test("failed rows are returned as a file with the reasons, which can be uploaded again unchanged", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const file =
    'Nome;E-mail;Telefone;score;Note\n"Ana\nB";a@x.org;5.5E+12;1;=SUM(1)\nBo;b@x.org;;2;\nCy;nobody;;much;"x;y"\n';
  const made = await uploaded(the, key, file, { query: "?file_name=a.csv" });
  const done = await acted(key, made.id, "commit");
  assert.deepEqual(sums(done), [3, 1, 0, 0, 0, 2]);
  const list = await bodyOf<{
    errors: { row: number; errors: { code: string }[] }[];
    next_cursor: string | null;
  }>(await key.send("GET", `/api/v1/imports/${made.id}/errors?limit=1`));
  assert.deepEqual([list.errors[0]?.row, list.errors[0]?.errors[0]?.code], [2, "scientific_notation"]);
  const next = await bodyOf<typeof list>(
    await key.send("GET", `/api/v1/imports/${made.id}/errors?limit=1&cursor=${list.next_cursor}`),
  );
  assert.deepEqual([next.errors[0]?.row, next.errors[0]?.errors.length, next.next_cursor], [5, 2, null]);
  const back = await (await key.send("GET", `/api/v1/imports/${made.id}/errors.csv`)).text();
  assert.equal(
    back,
    'Nome;E-mail;Telefone;score;Note;_row;_column;_code;_message\r\n"Ana\nB";a@x.org;5.5E+12;1;\'=SUM(1);2;Telefone;scientific_notation;"was rounded by a spreadsheet; enter all of its digits again"\r\n' +
      'Cy;nobody;;much;"x;y";5;"E-mail; score";"not_an_email; not_a_number";' +
      '"E-mail is not an e-mail address; score is not a number"\r\n',
  );
  const again = await uploaded(the, key, back);
  assert.deepEqual(
    sums(await acted(key, again.id, "dry-run").then(({ dry_run }) => dry_run ?? {})),
    [2, 0, 0, 0, 0, 2],
  );
  const fixed = await uploaded(
    the,
    key,
    back.replace("5.5E+12", "+5511961234567").replace("nobody", "c@x.org").replace("much", "3"),
  );
  assert.deepEqual(sums(await acted(key, fixed.id, "commit")), [2, 2, 0, 0, 0, 0]);
});

test("ambiguous dates and numbers block until they are declared", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const made = await uploaded(the, key, 'external_id,first_touch,value\n1,01/02/2024,"1,234"\n');
  assert.deepEqual(openQuestions(made), ["date_order:first_touch", "decimals:value"]);
  const refused = await refusalOf(await key.send("POST", `/api/v1/imports/${made.id}/commit`));
  assert.deepEqual([refused.status, refused.code, refused.paths.length], [409, "ambiguous_dates", 2]);
  const mapping = { ...made.mapping, dates: "dmy", decimals: "comma" };
  const mapped = await bodyOf<ImportBody>(
    await key.send("PUT", `/api/v1/imports/${made.id}/mapping`, mapping),
  );
  assert.deepEqual(openQuestions(mapped), []);
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [1, 1, 0, 0, 0, 0]);
  const [lead] = await leadsOf(the);
  assert.deepEqual([lead?.first_touch, lead?.value], [new Date("2024-02-01T00:00:00Z"), 1.234]);
  const sure = await uploaded(
    the,
    key,
    "external_id;first_touch;value\n1;13/02/2024;10,5\n2;01/02/2024;1.234\n",
  );
  assert.deepEqual(openQuestions(sure), []);
  await acted(key, sure.id, "commit");
  assert.deepEqual(
    (await leadsOf(the)).map(({ first_touch, value }) => [
      (first_touch as Date).toISOString().slice(0, 10),
      value,
    ]),
    [
      ["2024-02-13", 10.5],
      ["2024-02-01", 1234],
    ],
  );
});

test("an undo deletes what the import created, restores what it changed, and keeps and lists later changes", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  for (const name of ["a", "b"])
    await key.send("POST", "/api/v1/leads", { external_id: name, name: "Old", city: "Rio" });
  const made = await uploaded(
    the,
    key,
    "external_id,name,city\na,New,Recife\nb,New,Recife\nc,C,\nd,D,\nd,D2,\n",
  );
  const done = await acted(key, made.id, "commit");
  assert.deepEqual(sums(done), [5, 2, 3, 0, 0, 0]);
  const byExternal = async () => new Map((await leadsOf(the)).map((lead) => [lead.external_id, lead]));
  const before = await byExternal();
  await key.send("PATCH", `/api/v1/leads/${before.get("b")?.id}`, { city: "Natal" });
  await key.send("PATCH", `/api/v1/leads/${before.get("c")?.id}`, { name: "Kept" });
  const undone = await acted(key, made.id, "undo");
  assert.deepEqual([undone.state, undone.undo], ["undone", { deleted: 1, restored: 2, left: 2 }]);
  const leads = await byExternal();
  const shown = ["a", "b", "c", "d"].map((name) => {
    const lead = leads.get(name);
    return [lead?.name, lead?.city, lead?.deleted_at !== null];
  });
  assert.deepEqual(shown, [
    ["Old", "Rio", false],
    ["Old", "Natal", false],
    ["Kept", null, false],
    ["D2", null, true],
  ]);
  const kept = await bodyOf<{ leads: { reason: string; fields: string[] }[] }>(
    await key.send("GET", `/api/v1/imports/${made.id}/kept`),
  );
  assert.deepEqual(
    kept.leads.map(({ fields }) => fields),
    [["city"], []],
  );
  // What was kept may be taken back later: the undo goes on.
  const again = await acted(key, made.id, "undo");
  assert.deepEqual([again.state, again.undo], ["undone", { deleted: 1, restored: 2, left: 2 }]);
});

test("an export that is imported again changes nothing, whatever its cells start with", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const hostile = [
    "=1+1",
    "'=1",
    "''+a",
    "-x",
    "@y",
    "+55 11 96123-4567",
    "'q",
    "a;b,c",
    "[1]",
    "007",
    "1e5",
    'x\ny"z',
  ];
  for (const [i, text] of hostile.entries()) {
    await bodyOf(
      await key.send("POST", "/api/v1/leads", {
        name: text,
        company: text,
        city: text,
        tags: [text, "b"],
        phones: ["+55 11 96123-4567"],
        value: i / 3,
        ...(i % 2 === 0 ? { phone: "+55 11 96123-4567", first_touch: "2024-02-03T04:05:06.789+00:00" } : {}),
      }),
      201,
    );
  }
  const before = await leadsOf(the);
  for (const options of [{}, { delimiter: ";", bom: true }, { format: "ndjson" }]) {
    const file = await key.send("POST", "/api/leads/export/", { project_id: the.project.id, ...options });
    const bytes = Buffer.from(await file.arrayBuffer());
    const made = await uploaded(the, key, bytes, { type: "application/octet-stream" });
    const done = await acted(key, made.id, "commit");
    const { length } = hostile;
    assert.deepEqual(sums(done), [length, 0, 0, length, 0, 0], JSON.stringify(options));
  }
  assert.deepEqual(await leadsOf(the), before);
});

test("a spreadsheet's numbers, dates and texts are read, as a body and as a form's file", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const file = sheetOf([
    ["external_id", "name", "phone", "first_touch", "value"],
    [
      "s1",
      'A "quoted", one\nof two',
      { number: "5.511961234567E+12" },
      { number: "45350", date: true },
      { number: "1.5" },
    ],
    ["s2", "B", "nonsense", "", ""],
  ]);
  const form = new FormData();
  form.append("file", new Blob([new Uint8Array(file)]), "leads.xlsx");
  const response = await fetch(`${the.baseUrl}/api/v1/imports`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key.text}` },
    body: form,
  });
  const made = await bodyOf<ImportBody>(response, 201);
  assert.deepEqual([made.file.format, made.file.name, made.file.rows], ["xlsx", "leads.xlsx", 2]);
  const done = await acted(key, made.id, "commit");
  assert.deepEqual(sums(done), [2, 1, 0, 0, 0, 1]);
  const [lead] = await leadsOf(the);
  assert.deepEqual(
    [lead?.name, lead?.phone, lead?.first_touch, lead?.value],
    ['A "quoted", one\nof two', "5511961234567", new Date("2024-02-28T00:00:00Z"), 1.5],
  );
  const errors = await bodyOf<{ errors: { row: number }[] }>(
    await key.send("GET", `/api/v1/imports/${made.id}/errors`),
  );
  assert.equal(errors.errors[0]?.row, 3);
});

test("the file of each program is recognised, with the evidence, and Meta's prefixes and test rows are understood", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const headers: Record<string, string> = {
    hubspot: "Record ID,First Name,Last Name,Email,Phone Number,Lead Status,Create Date,Contact owner",
    salesforce: "Id,LastName,FirstName,Salutation,Company,LeadSource,Status,Region__c",
    pipedrive: "Person - Name,Person - Email - Work,Person - Phone - Work",
    mailchimp: "Email Address,First Name,Last Name,MEMBER_RATING,OPTIN_TIME,LEID,EUID,TAGS",
    rd_station: "Email,Nome,Celular,Telefone,Cargo,Empresa,Estado,Cidade,Estágio no funil,Tags",
  };
  for (const [name, header] of Object.entries(headers)) {
    const made = await uploaded(the, key, `${header}\n${"x,".repeat(header.split(",").length - 1)}x\n`);
    assert.equal(made.preset?.name, name);
    assert.ok((made.preset?.because.length ?? 0) > 1);
    const { Celular: mobile, Telefone: telephone } = made.mapping.columns;
    if (name === "rd_station") assert.deepEqual([mobile, telephone], ["phone", "phones"]);
  }
  const meta = [
    "id\tcreated_time\tad_id\tform_name\tplatform\tfull_name\tphone_number\temail",
    "l:77\t2024-05-01T10:00:00-0300\tag:1\tForm\tig\tAna\tp:+5511961234567\ta@x.org",
    "l:78\t2024-05-01T10:00:00-0300\tag:1\tForm\tig\t<test lead: dummy data for full_name>\tp:<test lead: dummy data for phone_number>\ttest@fb.com",
  ].join("\n");
  const made = await uploaded(the, key, Buffer.from(`\ufeff${meta}`, "utf16le"));
  assert.deepEqual([made.preset?.name, made.file.encoding], ["meta_lead_ads", "utf-16le"]);
  assert.deepEqual(sums(await acted(key, made.id, "commit")), [2, 1, 0, 0, 1, 0]);
  const [lead] = await leadsOf(the);
  assert.deepEqual([lead?.external_id, lead?.phone_e164, lead?.source], ["77", "+5511961234567", "ig"]);
});

test("Meta's prefixes are removed from each cell that has one, and a test row is skipped whichever column marks it", async () => {
  await using the = await world();
  const file = [
    "id,created_time,ad_id,form_name,platform,full_name,phone_number,email",
    "l:77,2024-05-01T10:00:00-0300,ag:1,Form,ig,Ana,p:+5511961234567,a@x.org",
    "78,2024-05-01T10:00:00-0300,ag:1,Form,ig,Bo,+5511961234568,b@x.org",
    "l:79,2024-05-01T10:00:00-0300,ag:1,Form,ig,,p:<test lead: dummy data for phone_number>,t@x.org",
    "l:80,2024-05-01T10:00:00-0300,ag:1,<test lead: dummy data for form_name>,ig,Di,,d@x.org",
  ].join("\n");
  const report = await importText(the, file);
  assert.deepEqual(countsOf(report), [4, 2, 0, 0, 2, 0]);
  assert.deepEqual(
    (await leadsOf(the)).map(({ external_id, phone_e164 }) => [external_id, phone_e164]),
    [
      ["77", "+5511961234567"],
      ["78", "+5511961234568"],
    ],
  );
});

test("an invalid import is refused with a status and a code, and another project's import does not exist", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const reader = await the.key(["leads:read"]);
  const stranger = await the.key(["leads:write"], (await the.newProject(the.person, "Other")).id);
  const refused = async (response: Response) => {
    const { status, code } = await refusalOf(response);
    return [status, code];
  };
  assert.deepEqual(await refused(await send(the, key, "")), [422, "empty_file"]);
  assert.deepEqual(await refused(await send(the, key, 'a,b\n1,"open\n')), [422, "unreadable_csv"]);
  assert.deepEqual(await refused(await send(the, key, "PK nothing", { query: "?format=xlsx" })), [
    422,
    "unreadable_sheet",
  ]);
  assert.deepEqual(await refused(await send(the, key, "a", { type: "image/png" })), [
    415,
    "unsupported_media",
  ]);
  assert.equal((await refused(await send(the, key, "a", { query: "?colour=red" })))[0], 400);
  assert.equal((await refused(await send(the, key, "a", { query: "?encoding=klingon" })))[0], 400);
  assert.equal((await refused(await send(the, reader, "a,b\n1,2\n")))[0], 403);
  const made = await uploaded(the, key, "email\na@x.org\n");
  for (const path of ["", "/errors", "/errors.csv", "/kept"])
    assert.deepEqual(await refused(await stranger.send("GET", `/api/v1/imports/${made.id}${path}`)), [
      404,
      "not_found",
    ]);
  for (const act of ["commit", "dry-run", "cancel", "undo"])
    assert.deepEqual(await refused(await stranger.send("POST", `/api/v1/imports/${made.id}/${act}`)), [
      404,
      "not_found",
    ]);
  const bad = { columns: { nothing: "email" } };
  assert.deepEqual(await refused(await key.send("PUT", `/api/v1/imports/${made.id}/mapping`, bad)), [
    400,
    "unknown_column",
  ]);
  assert.deepEqual(await refused(await key.send("POST", `/api/v1/imports/${made.id}/undo`)), [
    409,
    "wrong_state",
  ]);
  const cancelled = await bodyOf<ImportBody>(await key.send("POST", `/api/v1/imports/${made.id}/cancel`));
  assert.equal(cancelled.state, "cancelled");
  const listed = await bodyOf<{ imports: ImportBody[]; next_cursor: null }>(
    await key.send("GET", "/api/v1/imports?limit=500"),
  );
  assert.deepEqual(
    listed.imports.map(({ id }) => id),
    [made.id],
  );
});
