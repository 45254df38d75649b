import assert from "node:assert/strict";
import { test } from "node:test";
import { parse } from "csv-parse/sync";
import { readTimeLimits } from "../../src/config/read-connections.ts";
import { LEAD_FIELDS } from "../../src/contract/lists/lead-fields.ts";
import { revokeKey } from "../../src/domain/api-keys/revoke-key.ts";
import { perform } from "../../src/domain/operation/operation.ts";
import { acted, sums, uploaded } from "../imports/support/uploading.ts";
import { large } from "../large.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { copying, fill, untilNoneCopies } from "./support/exports.ts";
import { addLeads, pageOf, problemOf } from "./support/leads.ts";
import { randomFrom } from "./support/random-filter.ts";

const ask = (the: World, key: KeyActor, body: object): Promise<Response> =>
  key.send("POST", "/api/leads/export/", { project_id: the.project.id, ...body });

async function fileOf(the: World, key: KeyActor, body: object): Promise<string> {
  const response = await ask(the, key, body);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString());
  return bytes.toString();
}

const cells = (csv: string, delimiter = ","): string[][] =>
  parse(csv, { delimiter, relax_column_count: false });

/** Returns a string as a CSV contains it, escaped where a spreadsheet would run it. */
const escaped = (text: string): string => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text);

large("an export holds every lead, however many, in each format", async () => {
  await using the = await world();
  const key = await the.key();
  await fill(the, 21_000);
  const lines = (await fileOf(the, key, { format: "ndjson" })).trimEnd().split("\n");
  assert.equal(lines.length, 21_000);
  const page = await pageOf(await key.query({ limit: 2 }));
  assert.deepEqual(
    lines.slice(0, 2).map((line) => JSON.parse(line)),
    page.leads.map(({ display_name: _, ...lead }) => lead),
    "as the API shows them, in its order, but for what only follows from other fields",
  );
  const list = JSON.parse(await fileOf(the, key, { format: "json", columns: ["id"] })) as { id: string }[];
  assert.deepEqual(
    list.map(({ id }) => id),
    lines.map((line) => (JSON.parse(line) as { id: string }).id),
  );
  const rows = cells(await fileOf(the, key, { columns: ["id", "name"] }));
  assert.deepEqual(rows[0], ["id", "name"]);
  assert.equal(rows.length, 21_001);
  const filter = { field: "name", op: "eq", value: "nobody" };
  assert.equal(await fileOf(the, key, { filter, columns: ["id"] }), "id\n");
  assert.equal(await fileOf(the, key, { filter, format: "json" }), "[]\n");
  assert.equal(await fileOf(the, key, { filter, format: "ndjson" }), "");
});

test("the body of a query is exported unchanged: limit and offset select a part, its total is ignored", async () => {
  await using the = await world();
  const key = await the.key();
  await fill(the, 30);
  const query = { limit: 10, offset: 25, sort: [{ field: "name" }], fields: ["id"], total: "exact" };
  const page = await pageOf(await key.query(query));
  assert.equal(page.leads.length, 5);
  assert.deepEqual(JSON.parse(await fileOf(the, key, { ...query, format: "json" })), page.leads);
  const rows = cells(await fileOf(the, key, { limit: 10, columns: ["id"] }));
  assert.equal(rows.length, 11);
  assert.equal(await fileOf(the, key, { offset: 30, format: "ndjson" }), "");
  const { status } = await ask(the, key, { include: ["status_since"] });
  assert.equal(status, 400, "which a file would not show");
});

test("text that a spreadsheet would run is escaped; numbers and phone numbers stay unchanged", async () => {
  await using the = await world();
  const key = await the.key();
  const nasty = [
    "=1+1",
    "+cmd|' /C calc'!A0",
    "-2+3",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "'=1",
    "''+1",
    "plain",
    "'quoted'",
    "é=1",
  ];
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'note', 'n', 'text'), ($1, 'seats', 's', 'number')",
    [the.project.id],
  );
  await addLeads(
    the,
    nasty.map((name, i) => ({
      name,
      external_id: name,
      phone: i % 2 === 0 ? "+49 (30) 12.34-5/6" : "+1+cmd|' /C calc'!A0",
      phone_e164: "+4930123456",
      value: -5.5,
      tags: [name, "b"],
      custom: { note: name, seats: i === 0 ? "=2" : -i },
      created_at: new Date(Date.UTC(2026, 0, 1, 0, 0, -i)),
    })),
  );
  const columns = [
    "name",
    "external_id",
    "phone",
    "phone_e164",
    "value",
    "tags",
    "custom.note",
    "custom.seats",
  ];
  const [, ...rows] = cells(await fileOf(the, key, { columns }));
  rows.forEach((row, i) => {
    const name = nasty[i] ?? "";
    assert.deepEqual(row, [
      escaped(name),
      escaped(name),
      i % 2 === 0 ? "+49 (30) 12.34-5/6" : "'+1+cmd|' /C calc'!A0",
      "+4930123456",
      "-5.5",
      escaped(`${name};b`),
      escaped(name),
      i === 0 ? "'=2" : String(-i),
    ]);
  });
});

test("line breaks, quotation marks and long texts stay intact, wherever the network splits them", async () => {
  await using the = await world();
  const key = await the.key();
  const pieces = [
    "=",
    "'",
    '"',
    '""',
    "\n",
    "\r\n",
    ";",
    ",",
    "\t",
    "é",
    "😀",
    "[",
    "{",
    "}",
    "\\",
    "x".repeat(999),
  ];
  const next = randomFrom(20_261_121);
  const random = (below: number) => Math.floor(next() * below);
  const text = (most: number) =>
    Array.from({ length: 1 + random(most) }, () => pieces[random(pieces.length)]).join("");
  const made = Array.from({ length: 400 }, (_, i) => ({
    name: text(20),
    company: text(3),
    city: text(200),
    tags: Array.from({ length: random(4) }, () => text(2)),
    created_at: new Date(Date.UTC(2026, 0, 1, 0, 0, -i, 5)),
  }));
  await addLeads(the, made);
  const list = (entries: string[]) =>
    entries.some((entry) => /^"|[[\];,]/.test(entry)) ? JSON.stringify(entries) : escaped(entries.join(";"));
  for (const delimiter of [",", ";", "\t"]) {
    const columns = ["name", "company", "tags", "created_at", "city"];
    const [, ...rows] = cells(await fileOf(the, key, { columns, delimiter }), delimiter);
    assert.equal(rows.length, made.length);
    rows.forEach((row, i) => {
      const { name, company, tags, city, created_at: at } = made[i] ?? assert.fail();
      const moment = at.toISOString().replace("005Z", "005+00:00");
      assert.deepEqual(row, [escaped(name), escaped(company), list(tags), moment, escaped(city)]);
    });
  }
});

test("a JSON file has each lead as PostgreSQL writes it, byte by byte, whatever its values", async () => {
  await using the = await world({ alone: true });
  const key = await the.key();
  const controls = Array.from({ length: 31 }, (_, i) => `${String.fromCharCode(i + 1)}x`).join("");
  const texts = [
    controls,
    "",
    "\\N",
    "\\",
    '"',
    "é😀\u2028\x7f",
    "NULL",
    "null",
    "a,b",
    "{}",
    " ",
    "x".repeat(99_999),
  ];
  const numbers = ["NaN", "Infinity", "-Infinity", 1e300, -1e-7, 0, -12.5, 9_007_199_254_740_991];
  const days = [
    "2026-01-31T12:00:00.5+00:00",
    "infinity",
    "0044-03-15 10:00:00+00 BC",
    "12026-02-03 04:05:06.123456+00",
  ];
  await addLeads(
    the,
    texts.map((text, i) => ({
      ...{ name: text, city: text === "" ? null : `${text}${text}`, tags: [text], phones: texts.slice(0, i) },
      ...{ value: numbers[i], first_touch: days[i], do_not_contact: i % 2 === 0 },
      custom: { [`${text}\u0001"`]: [text, { n: numbers[i], empty: {} }] },
    })),
  );
  const names = LEAD_FIELDS.flatMap(({ name }) => (name === "display_name" ? [] : [name])).join(", ");
  const lines = await the.sql<{ line: string }>(
    `SELECT row_to_json(l)::text AS line FROM (SELECT ${names} FROM store.lead ORDER BY created_at DESC, id) AS l`,
  );
  const expected = lines.map(({ line }) => `${line}\n`);
  assert.equal(await fileOf(the, key, { format: "ndjson" }), expected.join(""));
  assert.equal(await fileOf(the, key, { format: "json" }), `[${expected.join(",")}]\n`);
});

test("a CSV has the delimiter, mark and columns asked for, custom fields by name, times with their offset", async () => {
  await using the = await world();
  const key = await the.key();
  for (const name of ["plan", 'we"ird,;']) {
    await the.sql(
      "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, $2, $2, 'text')",
      [the.project.id, name],
    );
  }
  await addLeads(the, [
    {
      name: 'a "quoted", semi;colon\nline\ttab',
      tags: ["hot; or not", "b,c"],
      emails: ["a@x.org", "b@x.org"],
      created_at: "2026-02-03T04:05:06.789012+02:00",
      do_not_contact: true,
      custom: { plan: "pro", 'we"ird,;': "x" },
    },
  ]);
  for (const delimiter of [",", ";", "\t"]) {
    const response = await ask(the, key, { delimiter, bom: true });
    assert.match(response.headers.get("content-type") ?? "", /^text\/csv; charset=utf-8/);
    assert.equal(response.headers.get("content-disposition"), 'attachment; filename="leads.csv"');
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf]);
    const [header = [], row = []] = cells(bytes.subarray(3).toString(), delimiter);
    const lead = Object.fromEntries(header.map((name, i) => [name, row[i]]));
    assert.equal(lead.name, 'a "quoted", semi;colon\nline\ttab');
    assert.equal(lead.created_at, "2026-02-03T02:05:06.789012+00:00");
    assert.equal(lead.do_not_contact, "true");
    assert.equal(lead.emails, "a@x.org;b@x.org");
    assert.deepEqual(JSON.parse(lead.tags ?? ""), ["hot; or not", "b,c"]);
    assert.equal(lead["custom.plan"], "pro");
    assert.equal(lead['custom.we"ird,;'], "x");
    assert.equal(lead.score, "");
    assert.ok(!("custom" in lead));
  }
  const plain = await fileOf(the, key, { fields: ["custom.plan", "id"], format: "ndjson" });
  assert.deepEqual(Object.keys(JSON.parse(plain) as object), ["id", "custom"]);
  assert.deepEqual((JSON.parse(plain) as { custom: unknown }).custom, { plan: "pro" });
});

test("a CSV has labels and names of owners where that is asked for, which an import reads again", async () => {
  await using the = await world();
  const key = await the.key(["leads:read", "leads:write"]);
  const called = (name: string) =>
    the.sql("UPDATE person SET name = $2 WHERE id = $1", [the.person.id, name]);
  await called("Vera");
  await the.sql(
    "INSERT INTO store.custom_field (project_id, key, label, type) VALUES ($1, 'plan', 'Plano', 'text'), ($1, 'town', 'City', 'text')",
    [the.project.id],
  );
  const own = { custom: { plan: "pro", town: "Olinda" }, city: "Recife" };
  await addLeads(the, [
    { external_id: "a", name: "Ana", owner_id: the.person.id, ...own },
    { external_id: "b", name: "Bo", owner_id: "per_gone", ...own },
  ]);
  const asked = {
    columns: ["external_id", "name", "city", "owner_id", "custom.plan", "custom.town"],
    sort: [{ field: "name" }],
  };
  const [names] = cells(await fileOf(the, key, asked));
  assert.deepEqual(names, asked.columns);
  const labelled = { ...asked, headers: "labels", owners: "names" };
  const file = await fileOf(the, key, labelled);
  assert.deepEqual(cells(file).slice(0, 3), [
    ["External id", "Name", "City", "Owner", "Plano", "City (custom.town)"],
    ["a", "Ana", "Recife", "Vera", "pro", "Olinda"],
    ["b", "Bo", "Recife", "per_gone", "pro", "Olinda"],
  ]);
  const portuguese = await fileOf(the, key, { ...labelled, locale: "pt-BR" });
  assert.deepEqual(cells(portuguese)[0]?.slice(1, 4), ["Nome", "Cidade", "Responsável"]);
  for (const each of [file.replace(/^b,.*\n/m, ""), portuguese.replace(/^b,.*\n/m, "")]) {
    const made = (await uploaded(the, key, each)) as { id: string; skipped_columns?: object[] };
    assert.deepEqual(made.skipped_columns, []);
    assert.deepEqual(sums(await acted(key, made.id, "commit")), [1, 0, 0, 1, 0, 0]);
  }
  await called("=Vera");
  assert.match(await fileOf(the, key, labelled), /,'=Vera,/);
  const refused = await ask(the, key, { format: "json", headers: "labels" });
  assert.deepEqual([refused.status, (await problemOf(refused)).code], [400, "unexpected"]);
});

test("every value of a filter stays a value inside the COPY", async () => {
  await using the = await world({ alone: true });
  const key = await the.key();
  const words = [
    "'; DROP TABLE store.lead; --",
    "\\'; SELECT 1; --",
    "$1",
    "%_\\",
    "a''b",
    "$$x$$",
    "\\x41",
    "ü'🙂",
    '{"a",b}',
  ];
  await addLeads(
    the,
    words.map((name) => ({ name, tags: [name] })),
  );
  for (const word of words) {
    for (const filter of [
      { field: "name", op: "eq", value: word },
      { field: "name", op: "in", value: [word, "nobody"] },
      { field: "name", op: "contains", value: word },
      { field: "tags", op: "has_all", value: [word] },
    ]) {
      const found = (await fileOf(the, key, { filter, format: "ndjson", columns: ["name"] }))
        .trimEnd()
        .split("\n");
      const expected = await pageOf(await key.query({ filter }));
      assert.deepEqual(
        found.map((line) => (JSON.parse(line) as { name: string }).name),
        expected.leads.map(({ name }) => name),
      );
      assert.ok(found.length > 0);
    }
  }
  assert.equal((await pageOf(await key.query({}))).leads.length, words.length);
});

test("revoking the key of a streaming export ends it: the file is truncated, never closed as if it were complete", async () => {
  await using the = await world();
  const key = await the.key();
  await fill(the, 15_000);
  const response = await ask(the, key, {});
  const reader = response.body?.getReader();
  await reader?.read();
  const manager = { personId: the.person.id, projectId: the.project.id };
  await perform(the.service, revokeKey, manager, { id: key.id });
  await untilNoneCopies(the);
  await assert.rejects(async () => {
    while ((await reader?.read())?.done === false);
  });
});

test("a reader that leaves frees its connection, and its place, at once", async (t) => {
  await using the = await world();
  const key = await the.key();
  await fill(the, 15_000);
  for (let round = 0; round < 3; round += 1) {
    const leaving = new AbortController();
    const streams = await Promise.all(
      Array.from({ length: 2 }, () =>
        fetch(`${the.baseUrl}/api/leads/export`, {
          method: "POST",
          headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" },
          body: JSON.stringify({ project_id: the.project.id }),
          signal: leaving.signal,
        }),
      ),
    );
    assert.deepEqual(
      streams.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(await copying(the), 2);
    leaving.abort();
    const since = performance.now();
    await untilNoneCopies(the);
    t.diagnostic(`two connections free after ${Math.round(performance.now() - since)} ms`);
  }
  assert.equal((await ask(the, key, { columns: ["id"] })).status, 200);
});

test("a reader that takes nothing for too long is cut, and frees its connection", async () => {
  await using the = await world({ config: { exportPatienceMs: 3_000 } });
  const key = await the.key();
  await fill(the, 15_000);
  const response = await ask(the, key, {});
  assert.equal(response.status, 200);
  const reader = response.body?.getReader();
  await reader?.read();
  await untilNoneCopies(the);
  await assert.rejects(async () => {
    while ((await reader?.read())?.done === false);
  }, "what was cut does not look whole");
  assert.equal((await ask(the, key, { columns: ["id"] })).status, 200);
});

large("an export may take longer than the statement timeout", async () => {
  await using the = await world({ config: { timeLimits: readTimeLimits({ query: 2, write: 2, job: 2 }) } });
  const key = await the.key();
  await fill(the, 15_000);
  const reader = (await ask(the, key, { format: "ndjson" })).body?.getReader();
  const longest = the.service.db.query("SELECT pg_sleep(60)");
  await assert.rejects(longest, { code: "57014" }, "meanwhile another statement ran into its limit");
  assert.equal(await copying(the), 1);
  let lines = 0;
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    lines += Buffer.from(part.value).toString("latin1").split("\n").length - 1;
  }
  assert.equal(lines, 15_000);
});

large(
  "of 20 exports at once some are served in full and the others are asked to retry; no other call waits",
  async () => {
    await using the = await world({ alone: true });
    const key = await the.key();
    await fill(the, 8_000);
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(the, key, {})));
    const served = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    assert.equal(served.length, 2);
    assert.equal(refused.length, 18);
    const page = await key.query({ limit: 1 });
    assert.equal(page.status, 200);
    const stranger = await fetch(`${the.baseUrl}/api/leads/export`, { method: "POST", body: "{}" });
    assert.equal(stranger.status, 401, "strangers do not learn how busy it is");
    for (const response of refused) {
      assert.match(response.headers.get("retry-after") ?? "", /^\d+$/);
      assert.equal((await problemOf(response)).code, "too_many_exports");
    }
    for (const response of served) assert.equal(cells(await response.text()).length, 8_001);
  },
);

test("errors of an export are reported before its first byte, to callers who may export", async () => {
  await using the = await world({ alone: true });
  const key = await the.key();
  const wrong: [object, RegExp][] = [
    [{ format: "xlsx" }, /\$\.format/],
    [{ delimiter: "|" }, /\$\.delimiter/],
    [{ columns: ["nope"] }, /\$\.columns\[0\]/],
    [{ columns: ["custom.nope"] }, /\$\.columns\[0\]/],
    [{ columns: ["id", "id"] }, /\$\.columns\[1\]/],
    [{ columns: ["id"], fields: ["id"] }, /\$\.fields/],
    [{ limit: 0 }, /\$\.limit/],
    [{ filtre: {} }, /\$\.filtre/],
    [{ filter: { field: "score", op: "eq", value: "x" } }, /\$\.filter\.value/],
    [{ timezone: "Mars/Base" }, /\$\.timezone/],
  ];
  for (const [body, where] of wrong) {
    const response = await ask(the, key, body);
    assert.equal(response.status, 400, JSON.stringify(body));
    assert.match((await problemOf(response)).detail, where);
  }
  const writer = await the.key(["leads:write"]);
  assert.equal((await ask(the, writer, { limit: 0 })).status, 403);
  assert.equal((await key.send("POST", "/api/leads/export/", {})).status, 400);
  const written = await the.sql("SELECT data FROM audit WHERE action = 'leads.exported'");
  assert.equal(written.length, 0);
  await fileOf(the, key, {});
  const [entry] = await the.sql<{ actor: string; data: object }>(
    "SELECT actor, data FROM audit WHERE action = 'leads.exported'",
  );
  assert.deepEqual([entry?.actor, entry?.data], [key.id, { format: "csv" }]);
});
