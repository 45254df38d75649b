import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf } from "../api/support/v1.ts";
import { leadOf } from "../api/support/writing.ts";
import { found, make } from "../datasets/support/dataset.ts";
import { acted, ended, send, uploaded } from "../imports/support/uploading.ts";
import { type KeyActor, world } from "../world.ts";
import { erasePerson, eraser } from "./support/erasing.ts";

const ANA = "ana@x.example.org";
const MARIANA = `mari${ANA}`;

const made = async (key: KeyActor, lead: object) =>
  (await leadOf(await key.send("POST", "/api/v1/leads", lead), 201)).id;

const newView = async (key: KeyActor, name: string, field: string, value: string) =>
  await bodyOf<{ id: string }>(
    await key.send("POST", "/api/v1/views", { name, query: { filter: { field, op: "eq", value } } }),
    201,
  );

const viewsOf = async (key: KeyActor) => JSON.stringify(await bodyOf(await key.send("GET", "/api/v1/views")));

test("erasing an address changes nothing of a person whose address ends with it: history, views, merges, undo", async () => {
  await using the = await world();
  const key = await eraser(the);
  await made(key, { name: "Ana", email: ANA });
  const mariana = await made(key, { name: "Mariana", email: MARIANA });
  await leadOf(await key.send("PATCH", `/api/v1/leads/${mariana}`, { email: "m@x.example.org" }));
  await leadOf(await key.send("PATCH", `/api/v1/leads/${mariana}`, { email: MARIANA }));
  const winner = await made(key, { name: "Winner" });
  const loser = await made(key, { name: "Loser", email: `ana@x.example.org.br` });
  const { merge_id: merge } = await bodyOf<{ merge_id: string }>(
    await key.send("POST", `/api/v1/leads/${winner}/merge`, { with: loser }),
  );
  await newView(key, `Calls with ${MARIANA}`, "email", MARIANA);
  await newView(key, "Ana", "email", ANA);
  const { id: gone } = await newView(key, ANA, "email", ANA);
  const deleted = await key.send("DELETE", `/api/v1/views/${gone}`);
  const file = await uploaded(the, key, `id,email\n${mariana},other@x.example.org\n`);
  await acted(key, file.id, "commit");
  await make(key, {
    key: "orders",
    columns: [{ key: "mail", type: "email" }],
    lead_link: { column: "mail", match: "email" },
  });
  const rows = await bodyOf<{ id: string }>(
    await send(the, key, `mail\n${MARIANA}\n`, { query: "?dataset=orders" }),
    201,
  );
  await bodyOf(await key.send("POST", `/api/v1/imports/${rows.id}/commit`, {}), 202);
  await ended(key, rows.id);
  const events = () => the.sql("SELECT data FROM store.event WHERE lead_id = $1 ORDER BY id", [mariana]);
  const before = await events();
  const { erased } = await erasePerson(key, { email: ANA, expected_leads: 1 });
  assert.deepEqual(await events(), before);
  assert.deepEqual([erased.history, erased.queries], [0, 1]);
  const views = await viewsOf(key);
  assert.ok(views.includes(`Calls with ${MARIANA}`) && !views.includes(`"${ANA}"`), views);
  const change = deleted.headers.get("x-leadgate-change");
  await bodyOf(await key.send("POST", `/api/v1/changes/${change}/undo`, {}));
  const { name } = await bodyOf<{ name: string }>(await key.send("GET", `/api/v1/views/${gone}`));
  assert.deepEqual([name, (await viewsOf(key)).includes(`"${ANA}"`)], ["erased@erased.invalid", false]);
  assert.deepEqual((await acted(key, file.id, "undo")).undo, { deleted: 0, restored: 1, left: 0 });
  assert.equal((await leadOf(await key.send("GET", `/api/v1/leads/${mariana}`))).email, MARIANA);
  await bodyOf(await key.send("POST", `/api/v1/merges/${merge}/undo`, {}));
  assert.equal((await leadOf(await key.send("GET", `/api/v1/leads/${winner}`))).email, null);
  await acted(key, rows.id, "undo");
  assert.deepEqual((await found(key, {}, "orders")).rows, []);
});

test("a view of a shared number stays as it is while another lead has the number", async () => {
  await using the = await world();
  const key = await eraser(the);
  const phone = "+55 11 5550-0100";
  const one = await made(key, { name: "One", phone });
  const two = await made(key, { name: "Two", phones: ["+55 (11) 5550 0100"] });
  await newView(key, "Switchboard", "phone", phone);
  assert.equal((await key.send("DELETE", `/api/v1/leads/${one}?erase=true`)).status, 204);
  assert.match(await viewsOf(key), /5550-0100/);
  assert.equal((await key.send("DELETE", `/api/v1/leads/${two}?erase=true`)).status, 204);
  assert.doesNotMatch(await viewsOf(key), /11 5550/);
});

test("another lead loses the number that it once had from its history, however the number was written", async () => {
  await using the = await world({ alone: true });
  const key = await eraser(the);
  await the.sql("UPDATE store.project SET default_country = 'BR'");
  const once = await made(key, {
    name: "Dan",
    phone: "(11) 5550-0177",
    phones: ["11 5550 0177", "(11) 5550-0199"],
  });
  const file = await uploaded(the, key, `id,phone\n${once},(11) 5550-0188\n`);
  await acted(key, file.id, "commit");
  await leadOf(await key.send("PATCH", `/api/v1/leads/${once}`, { phones: [] }));
  const { erased } = await erasePerson(key, { phone: "+55 11 5550-0177", expected_leads: 0 });
  assert.equal(erased.history, 2);
  for (const table of ["event", "change_item", "merge"])
    assert.deepEqual(
      await the.sql(
        `SELECT t FROM store.${table} t WHERE regexp_replace(t::text, '[^0-9]', '', 'g') LIKE '%1155500177%'`,
      ),
      [],
      table,
    );
});

test("a submission that another lead keeps, because it may be about an erased person, is gone with the person", async () => {
  await using the = await world();
  const key = await eraser(the);
  const ana = await made(key, { name: "Ana", email: ANA });
  await made(key, { name: "Bo", email: "bo@x.example.org", phone: "+55 11 91234-5678" });
  const form = await the.key(["leads:create"]);
  const lead = { email: ANA, phone: "+55 11 91234-5678", job_title: "Baker" };
  await bodyOf(await form.send("PUT", "/api/v1/leads/upsert", { lead }), 202);
  const kept = () =>
    the.sql(
      "SELECT lead_id FROM store.event WHERE type = 'submission.conflicted' AND data::text LIKE '%Baker%'",
    );
  assert.deepEqual(await kept(), [{ lead_id: ana }]);
  await erasePerson(key, { email: "bo@x.example.org", expected_leads: 1 });
  assert.deepEqual(await kept(), []);
});
