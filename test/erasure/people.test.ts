import assert from "node:assert/strict";
import { test } from "node:test";
import { refusalOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { found, make, written } from "../datasets/support/dataset.ts";
import { type KeyActor, world } from "../world.ts";
import { erasePerson, eraser, tablesWith, unzipped } from "./support/erasing.ts";

const EMAIL = "ana.person@example.org";

const made = async (key: KeyActor, lead: object) =>
  (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;

const refused = async (key: KeyActor, body: object, path = "erase") => {
  const { status, code, paths } = await refusalOf(await key.send("POST", `/api/v1/people/${path}`, body));
  return [status, code, ...paths];
};

test("all leads of a person are erased: by any of their addresses and numbers, deleted and merged ones too", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  await the.sql("UPDATE store.project SET default_country = 'BR'");
  await made(key, { name: "1", email: "Ana.Person@Example.org" });
  const two = await made(key, { name: "2", emails: ["ANA.person@example.org"] });
  await made(key, { name: "3", phone: "(11) 5550-0142" });
  await made(key, { name: "4", phones: ["+55 11 5550 0142"] });
  const five = await made(key, { name: "5", email: "five@example.org" });
  const six = await made(key, { name: "6", email: EMAIL });
  await key.send("POST", `/api/v1/leads/${five}/merge`, { with: six });
  await key.send("DELETE", `/api/v1/leads/${two}`);
  const stays = await made(key, { name: "7", email: "ana.person@example.org.br", phone: "(11) 5550-0143" });
  const ends = await made(key, {
    name: "8",
    phones: ["+1 202 555 00142"],
    emails: ["x-ana.person@example.org"],
  });
  const { erased } = await erasePerson(key, {
    email: ` ${EMAIL} `,
    phone: "11 5550-0142",
    expected_leads: 6,
  });
  assert.equal(erased.leads, 6);
  const left = await the.sql<{ id: string }>("SELECT id FROM store.lead ORDER BY id");
  assert.deepEqual(
    left.map(({ id }) => id),
    [stays, ends].sort(),
  );
});

test("one call cannot erase more leads than expected: a shared number is 409 with the found number, and nothing is gone", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  for (let n = 0; n < 4; n += 1) await made(key, { name: `n${n}`, phone: "+55 11 5550-0100" });
  const phone = "+55 11 5550-0100";
  assert.deepEqual(await refused(key, { phone }), [400, "required", "$.expected_leads"]);
  const answer = await key.send("POST", "/api/v1/people/erase", { phone, expected_leads: 1 });
  const { error } = (await answer.json()) as { error: { code: string; details: object[] } };
  assert.deepEqual([answer.status, error.code], [409, "count_changed"]);
  assert.deepEqual(error.details, [{ path: "$.expected_leads", code: "count_changed", message: "4" }]);
  const dry = await erasePerson(key, { phone, dry_run: true });
  assert.deepEqual([dry.dry_run, dry.certificate, dry.erased.leads], [true, null, 4]);
  assert.equal((await the.sql("SELECT FROM store.lead")).length, 4);
  assert.deepEqual(await the.sql("SELECT FROM audit WHERE action = 'person.erased'"), []);
  assert.deepEqual(await the.sql("SELECT FROM store.tombstone"), []);
});

test("the certificate recognizes the identity later without containing it, also if nothing was held", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  await made(key, { name: "Ana", email: EMAIL });
  const nothing = await erasePerson(key, { email: "nobody@example.org", expected_leads: 0 });
  assert.ok(Object.values(nothing.erased).every((count) => count === 0));
  const done = await erasePerson(key, { email: EMAIL.toUpperCase(), expected_leads: 1 });
  assert.match(done.certificate ?? "", /^cert_/);
  assert.deepEqual(done.earlier, []);
  const later = await erasePerson(key, { email: EMAIL, dry_run: true });
  assert.deepEqual(
    later.earlier.map(({ id }) => id),
    [done.certificate],
  );
  const other = await eraser(the, (await the.newProject(the.person, "Other")).id);
  assert.deepEqual((await erasePerson(other, { email: EMAIL, dry_run: true })).earlier, []);
  const log = await the.sql<{ data: Record<string, unknown> }>(
    "SELECT data FROM audit WHERE action = 'person.erased' ORDER BY id",
  );
  assert.deepEqual(
    log.map(({ data }) => [data.certificate, data.leads]),
    [
      [nothing.certificate, 0],
      [done.certificate, 1],
    ],
  );
  assert.deepEqual(await tablesWith(the, "ana.person"), []);
  const owner = await the.signedIn();
  for (const [locale, words] of [
    ["en", /A person was erased permanently/],
    ["pt-BR", /Uma pessoa foi apagada definitivamente/],
  ] as const) {
    await the.sql("UPDATE person SET locale = $1", [locale]);
    assert.match(await (await owner.get(`/projects/${the.project.id}/settings/log`)).text(), words);
  }
});

test("erasing needs leads:erase and exporting leads:read; keys that the command line made work", async () => {
  await using the = await world();
  const writer = await the.key(["leads:read", "leads:write", "schema:write", "datasets:write"]);
  const id = await made(writer, { name: "Ana", email: EMAIL });
  assert.deepEqual(await refused(writer, { email: EMAIL, expected_leads: 1 }), [403, "missing_permission"]);
  const gone = await writer.send("DELETE", `/api/v1/leads/${id}?erase=true`);
  assert.equal((await refusalOf(gone)).code, "missing_permission");
  const onlyErases = await the.key(["leads:erase"]);
  assert.deepEqual(await refused(onlyErases, { email: EMAIL }, "export"), [403, "missing_permission"]);
  assert.equal((await writer.send("POST", "/api/v1/people/export", { email: EMAIL })).status, 200);
  assert.equal((await onlyErases.send("DELETE", `/api/v1/leads/${id}?erase=true`)).status, 204);
  await erasePerson(onlyErases, { email: EMAIL, expected_leads: 0 });
});

test("with leads:erase alone, no dry run and no refusal tells how many leads a person has", async () => {
  await using the = await world();
  const writer = await the.key(["leads:read", "leads:write"]);
  await made(writer, { name: "Ana", email: EMAIL });
  const onlyErases = await the.key(["leads:erase"]);
  assert.deepEqual(await refused(onlyErases, { email: EMAIL, dry_run: true }), [403, "missing_permission"]);
  const wrong = await onlyErases.send("POST", "/api/v1/people/erase", { email: EMAIL, expected_leads: 7 });
  const { status, code, message, paths } = await refusalOf(wrong);
  assert.deepEqual([status, code, paths], [409, "count_changed", ["$.expected_leads"]]);
  assert.doesNotMatch(message, /1/);
  await erasePerson(onlyErases, { email: EMAIL, expected_leads: 1 });
});

test("a person is named by a real e-mail address or phone number, and by nothing else", async () => {
  await using the = await world();
  const key = await eraser(the);
  for (const path of ["erase", "export"]) {
    const more = path === "erase" ? { expected_leads: 0 } : {};
    assert.deepEqual(await refused(key, { ...more }, path), [400, "required", "$"]);
    assert.deepEqual(await refused(key, { ...more, email: "nope" }, path), [400, "not_an_email", "$.email"]);
    assert.deepEqual(await refused(key, { ...more, email: "" }, path), [400, "not_an_email", "$.email"]);
    assert.deepEqual(await refused(key, { ...more, phone: "123" }, path), [400, "not_a_phone", "$.phone"]);
    assert.deepEqual((await refused(key, { ...more, name: "Ana" }, path)).slice(0, 2), [400, "unknown_key"]);
    assert.deepEqual((await refused(key, { ...more, email: "a\0@b.co" }, path)).slice(0, 1), [400]);
  }
});

test("rows of a dataset go with the person they are linked to, unless the dataset is not personal or the row is another lead's, too", async () => {
  await using the = await world();
  const key = await eraser(the);
  const columns = [{ key: "mail", type: "email" }];
  const link = { column: "mail", match: "email" };
  assert.deepEqual((await make(key, { key: "orders", columns, lead_link: link })).lead_link, {
    ...link,
    personal: true,
  });
  await make(key, { key: "firms", columns, lead_link: { ...link, personal: false } });
  const changed = await key.send("PATCH", "/api/v1/datasets/firms", { name: "Firms" });
  assert.equal(((await changed.json()) as { lead_link: { personal: boolean } }).lead_link.personal, false);
  for (const name of ["orders", "firms"])
    await written(
      key,
      [{ mail: EMAIL }, { mail: "shared@example.org" }, { mail: "bo@example.org" }],
      "insert",
      name,
    );
  const one = await made(key, { name: "Ana", email: EMAIL, emails: ["shared@example.org"] });
  await made(key, { name: "Twin", email: "shared@example.org" });
  assert.equal((await key.send("DELETE", `/api/v1/leads/${one}?erase=true`)).status, 204);
  const mails = async (name: string) => (await found(key, {}, name)).rows.map(({ mail }) => mail).sort();
  assert.deepEqual(await mails("orders"), ["bo@example.org", "shared@example.org"]);
  assert.equal((await mails("firms")).length, 3);
  const { erased } = await erasePerson(key, { email: "bo@example.org", expected_leads: 0 });
  assert.equal(erased.dataset_rows, 1, "rows of a person without a lead, too");
});

test("an export shows rows of datasets only to keys that may read datasets, and says so", async () => {
  await using the = await world();
  const key = await eraser(the);
  const columns = [{ key: "mail", type: "email" }];
  await make(key, { key: "orders", columns, lead_link: { column: "mail", match: "email" } });
  await written(key, [{ mail: EMAIL }], "insert", "orders");
  const whole = await unzipped(await key.send("POST", "/api/v1/people/export", { email: EMAIL }));
  assert.match(whole["datasets/orders.json"] ?? "", /ana\.person/);
  const reader = await the.key(["leads:read"]);
  const part = await unzipped(await reader.send("POST", "/api/v1/people/export", { email: EMAIL }));
  assert.ok(!("datasets/orders.json" in part));
  assert.match(part["person.json"] ?? "", /left_out/);
});
