import assert from "node:assert/strict";
import { test } from "node:test";
import { bodyOf, refusalOf } from "../api/support/v1.ts";
import { type Browser, formOf } from "../browser.ts";
import { leadgate } from "../cli/support/leadgate.ts";
import { Caller } from "../mcp/support/using.ts";
import { type KeyActor, type World, world } from "../world.ts";
import { leadsFrom } from "./support/race.ts";
import { fileOf, type Item, importFile, upsert, warningsOf } from "./support/ways.ts";

const settingsOf = (the: World) => `/projects/${the.project.id}/settings`;

/** Sends the form that sets the rule, as its page has it. */
async function setRule(the: World, browser: Browser, refuses: boolean): Promise<Response> {
  const { action, hidden } = await formOf(
    await browser.get(settingsOf(the)),
    `${settingsOf(the)}/shared-addresses`,
  );
  return await browser.post(action, { ...hidden, ...(refuses ? { refuse: "yes" } : {}) });
}

interface Refusing {
  the: World;
  owner: Browser;
  key: KeyActor;
  /** Creates a lead; returns its id. */
  make(lead: object): Promise<string>;
}

/** Returns a project whose owner has set the rule. */
async function refusing(): Promise<Refusing> {
  const the = await world();
  const owner = await the.signedIn();
  assert.equal((await setRule(the, owner, true)).status, 303);
  const key = await the.key(["leads:read", "leads:write"]);
  const make = async (lead: object) =>
    (await bodyOf<{ id: string }>(await key.send("POST", "/api/v1/leads", lead), 201)).id;
  return { the, owner, key, make };
}

/** Asserts that a call is refused for these fields, and names the lead that has the address. */
async function refused(answer: Response, holder: string, ...paths: string[]): Promise<void> {
  const { status, code, message, paths: named } = await refusalOf(answer);
  assert.deepEqual([status, code, named], [409, "address_held", paths]);
  assert.ok(message.includes(holder), message);
}

async function bulk(key: KeyActor, body: object): Promise<Item[]> {
  const answer = await key.send("POST", "/api/v1/leads/bulk", body);
  return (await bodyOf<{ results: Item[] }>(answer)).results;
}

const codesOf = (items: readonly Item[]) => items.map(({ error, outcome }) => error?.code ?? outcome);

const emailIs = (value: string) => ({ field: "email", op: "eq", value });

test("owners and admins refuse shared addresses on the settings page, editors read it there, and the log has it", async () => {
  await using the = await world();
  const people = { admin: await the.newPerson("Adm"), editor: await the.newPerson("Ed") };
  for (const role of ["admin", "editor"] as const) await the.join(people[role], the.project.id, role);
  const [owner, admin, editor] = [
    await the.signedIn(),
    await the.signedIn(people.admin),
    await the.signedIn(people.editor),
  ];
  const page = async (browser: Browser) => await (await browser.get(settingsOf(the))).text();
  const stored = () =>
    the.sql("SELECT refuses_shared FROM store.project WHERE project_id = $1", [the.project.id]);
  const line = /cannot be given an e-mail or phone that another lead has/;
  assert.match(await page(owner), /name="refuse" value="yes">/);
  assert.doesNotMatch(await page(editor), line);
  const saved = await setRule(the, admin, true);
  assert.equal(saved.headers.get("location"), `${settingsOf(the)}?done=changed`);
  assert.match(await page(owner), /name="refuse" value="yes" checked/);
  assert.match(await page(editor), line);
  assert.doesNotMatch(await page(editor), /name="refuse"/);
  const { hidden } = await formOf(await editor.get("/"));
  const forged = await editor.post(`${settingsOf(the)}/shared-addresses`, {
    form_token: hidden.form_token ?? "",
  });
  assert.equal(forged.status, 403);
  assert.deepEqual(await stored(), [{ refuses_shared: true }]);
  assert.equal((await setRule(the, owner, true)).status, 303);
  const entries = await the.sql(
    "SELECT actor, data FROM audit WHERE action = 'project.changed' AND project_id = $1",
    [the.project.id],
  );
  assert.deepEqual(entries, [
    { actor: people.admin.id, data: { refuses_shared: { from: false, to: true } } },
  ]);
  const log = await (await owner.get(`${settingsOf(the)}/log`)).text();
  assert.match(log, /Refuses shared e-mails and phones: <bdi>false → true/);
  const profile = await formOf(await owner.get("/account"), "/account/profile");
  await owner.post(profile.action, { ...profile.hidden, name: "Ada", locale: "pt-BR" });
  assert.match(await page(owner), /Recusar e-mails e telefones de outros leads/);
  const change = (rule: string) =>
    leadgate(the, ["project", "change", "--project", the.project.id, "--shared-addresses", rule]);
  assert.equal((await change("warn")).code, 0);
  assert.deepEqual(await stored(), [{ refuses_shared: false }]);
  assert.equal((await change("yes")).code, 2);
});

test("an update or a creation with another lead's address is refused and names that lead; nothing is written", async () => {
  const { key, make } = await refusing();
  const [ana, bia] = ["ana@one.example.org", "bia@one.example.org"];
  const a = await make({ email: ana, phone: "+5511930000001" });
  const b = await make({ email: bia, emails: ["bia@home.example.org"], phones: ["+5511930000002"] });
  const patch = (fields: object) => key.send("PATCH", `/api/v1/leads/${a}`, fields);
  await refused(await patch({ email: bia.toUpperCase(), name: "Ana" }), b, "$.email");
  await refused(await patch({ emails: ["x@one.example.org", "bia@home.example.org"] }), b, "$.emails");
  await refused(await patch({ phone: "+55 11 93000-0002", email: bia }), b, "$.email", "$.phone");
  await refused(await key.send("POST", "/api/v1/leads", { name: "Bia", email: bia }), b, "$.email");
  const lead = await bodyOf<Record<string, unknown>>(await key.send("GET", `/api/v1/leads/${a}`));
  assert.deepEqual([lead.version, lead.name, lead.email, lead.emails], [1, null, ana, []]);
  for (const fields of [{ name: "Ana" }, { email: ana.toUpperCase() }, { emails: [ana] }, { phone: null }]) {
    const answer = await patch(fields);
    await bodyOf(answer);
    assert.deepEqual(warningsOf(answer), []);
  }
  assert.equal((await key.send("DELETE", `/api/v1/leads/${b}`)).status, 204);
  await bodyOf(await patch({ email: bia }));
  await bodyOf(await key.send("POST", `/api/v1/leads/${b}/restore`));
});

test("the rule holds from the next call on, and so does its end; leads that share an address stay so", async () => {
  const { the, owner, key, make } = await refusing();
  const [a, b] = [await make({ email: "a@next.example.org" }), await make({ email: "b@next.example.org" })];
  const patch = (id: string, fields: object) => key.send("PATCH", `/api/v1/leads/${id}`, fields);
  for (let round = 0; round < 2; round += 1) {
    await refused(await patch(a, { email: "b@next.example.org" }), b, "$.email");
    await setRule(the, owner, false);
    const made = await patch(a, { email: "b@next.example.org" });
    await bodyOf(made);
    assert.equal(warningsOf(made).length, 1);
    await setRule(the, owner, true);
    await bodyOf(await patch(a, { email: "B@next.example.org", name: `Ana ${round}` }));
    const filter = { and: [emailIs("b@next.example.org"), { field: "name", op: "is_not_empty" }] };
    const set = { email: "b@next.example.org", score: round };
    const found = await key.send("POST", "/api/v1/leads/bulk", { op: "set", set, filter, expected_count: 1 });
    assert.equal((await bodyOf<{ updated: number }>(found)).updated, 1);
    await bodyOf(await patch(a, { email: "a@next.example.org" }));
  }
});

test("items of a bulk change with another lead's address are refused, the others are written", async () => {
  const { key, make } = await refusing();
  const email = (name: string) => `${name}@bulk.example.org`;
  const [a, b, c] = [
    await make({ email: email("a") }),
    await make({ email: email("b") }),
    await make({ email: email("c") }),
  ];
  const update = await bulk(key, {
    op: "update",
    items: [
      { id: a, email: email("b"), phone: "+5511930000011" },
      { id: b, phone: "+5511930000011" },
      { id: c, phone: "+5511930000011", name: "Caio" },
    ],
  });
  assert.deepEqual(codesOf(update), ["address_held", "updated", "address_held"]);
  assert.deepEqual(update[0]?.error?.details[0]?.path, "$.items[0].email");
  assert.ok(update[2]?.error?.details[0]?.message.includes(b), JSON.stringify(update[2]));
  const set = { emails: [email("d")] };
  const shared = await bulk(key, { op: "set", set, items: [{ id: a }, { id: b }] });
  assert.deepEqual(codesOf(shared), ["updated", "address_held"]);
  const items = [{ email: email("a") }, { email: email("e") }, { emails: [email("E")] }, { name: "Eva" }];
  const rehearsed = await bulk(key, { op: "create", items, dry_run: true });
  const made = await bulk(key, { op: "create", items });
  assert.deepEqual(codesOf(made), ["address_held", "created", "address_held", "created"]);
  assert.deepEqual(codesOf(rehearsed), codesOf(made));
  assert.equal(made[2]?.error?.details[0]?.path, "$.items[2].emails");
});

test("a change by filter is refused if several leads would get an address, or one would get another lead's", async () => {
  const { the, key, make } = await refusing();
  const [a, b] = [
    await make({ email: "a@filter.example.org", source: "one" }),
    await make({ email: "b@filter.example.org", source: "two" }),
  ];
  const set = (fields: object, filter: object, count: number, dry = false) =>
    key.send("POST", "/api/v1/leads/bulk", {
      ...{ op: "set", set: fields, filter, expected_count: count },
      ...(dry ? { dry_run: true } : {}),
    });
  const one = { field: "source", op: "eq", value: "one" };
  const both = { field: "source", op: "in", value: ["one", "two"] };
  for (const dry of [true, false]) {
    const held = (await (await set({ email: "B@filter.example.org" }, one, 1, dry)).json()) as {
      error: { code: string; details: { path: string; message: string }[] };
    };
    assert.deepEqual([held.error.code, held.error.details[0]?.path], ["address_held", "$.set.email"]);
    assert.ok(held.error.details[0]?.message.includes(b), JSON.stringify(held));
    const { code, paths } = await refusalOf(await set({ phone: "+5511930000021" }, both, 2, dry));
    assert.deepEqual([code, paths], ["address_held", ["$.set.phone"]]);
  }
  const caller = await Caller.in(the);
  const filter = { any: [{ all: [one] }] };
  const dry = { action: "set", set: { email: "b@filter.example.org" }, filter, dry_run: true };
  assert.match((await caller.failure("bulk_update_leads", dry)).why, /Another lead has this address/);
  const leads = await leadsFrom(key, ["one", "two"]);
  assert.deepEqual(
    leads.map(({ id, email, phone }) => [id, email, phone]).sort(),
    [
      [a, "a@filter.example.org", null],
      [b, "b@filter.example.org", null],
    ].sort(),
  );
  assert.equal((await set({ phone: "+5511930000021" }, one, 1)).status, 200);
  assert.equal((await set({ name: "Same" }, both, 2)).status, 200);
});

test("a key that may not read leads is refused without the ids of others", async () => {
  const { the, key, make } = await refusing();
  const email = "known@example.org";
  const id = await make({ name: "Own" });
  await make({ email });
  const [writer, form] = [await the.key(["leads:write"]), await the.key(["leads:create"])];
  const items = [{ id, email }];
  const texts = [];
  for (const [answer, status] of [
    [await writer.send("PATCH", `/api/v1/leads/${id}`, { email }), 409],
    [await writer.send("POST", "/api/v1/leads", { email }), 409],
    [await writer.send("POST", "/api/v1/leads/bulk", { op: "update", items }), 200],
    [await writer.send("POST", "/api/v1/leads/bulk", { op: "create", items: [{ email }, { email }] }), 200],
  ] as const) {
    const text = await answer.text();
    assert.equal(answer.status, status, text);
    assert.match(text, /"code":"address_held"/);
    texts.push(text);
  }
  for (const text of texts)
    assert.deepEqual((text.match(/lead_[0-9a-z]{20,}/g) ?? []).join().replace(id, ""), "");
  assert.equal((await key.query({ filter: emailIs(email) })).status, 200);
  // A refusal would tell a form that the person is known.
  assert.equal((await form.send("POST", "/api/v1/leads", { email })).status, 201);
});

test("of writers that give several leads one address at once, exactly one succeeds", async () => {
  const { key, make } = await refusing();
  for (let round = 0; round < 6; round += 1) {
    const source = `race-${round}`;
    const give = round % 2 === 0 ? { email: `${source}@example.org` } : { phones: [`+55119300001${round}0`] };
    const ids = await Promise.all(
      Array.from({ length: 8 }, (_, n) => make({ source, name: `${source} ${n}` })),
    );
    const writers = [
      (id: string) => key.send("PATCH", `/api/v1/leads/${id}`, give),
      (id: string) => key.send("POST", "/api/v1/leads/bulk", { op: "update", items: [{ id, ...give }] }),
      (_: string, n: number) =>
        key.send("POST", "/api/v1/leads/bulk", {
          ...{ op: "set", set: give, expected_count: 1 },
          filter: { field: "name", op: "eq", value: `${source} ${n}` },
        }),
      () => key.send("POST", "/api/v1/leads", { ...give, source }),
    ];
    const answers = await Promise.all(ids.map((id, n) => writers[(n + round) % 4]?.(id, n)));
    for (const answer of answers)
      assert.ok([200, 201, 409].includes(answer?.status ?? 0), await answer?.text());
    const having = (await leadsFrom(key, [source])).filter(
      ({ email, phones = [] }) => email !== null || phones.length > 0,
    );
    assert.equal(having.length, 1, `${having.length} leads have the address of ${source}`);
  }
});

test("upserts and imports are not refused: the rule of identity decides", async () => {
  const { the, key, make } = await refusing();
  const writer = await the.key(["leads:read", "leads:write", "schema:write"]);
  const [ana, bia, phone] = ["ana@id.example.org", "bia@id.example.org", "+5511930000031"];
  const a = await make({ email: ana, name: "Ana" });
  const b = await make({ email: bia, phone });
  assert.deepEqual((await upsert(key, { email: ana, name: "Ana Souza" })).id, a);
  const matched = await upsert(key, { email: ana, phone }, { match_on: ["email"] });
  assert.deepEqual([matched.failed, matched.id, matched.warnings?.length], [false, a, 1]);
  const [made] = await bulk(key, { op: "upsert", items: [{ email: bia, name: "Bia" }] });
  assert.deepEqual([made?.id, made?.outcome], [b, "updated"]);
  const fresh = await upsert(key, { external_id: "x-1", email: "new@id.example.org" });
  assert.equal(fresh.outcome, "created");
  const { failures } = await importFile(
    the,
    writer,
    fileOf([
      { email: ana, name: "Ana Lima" },
      { email: "c@id.example.org", name: "Caio" },
    ]),
  );
  assert.deepEqual([...failures], []);
  const lead = await bodyOf<{ name: string }>(await key.send("GET", `/api/v1/leads/${a}`));
  assert.equal(lead.name, "Ana Lima");
});
