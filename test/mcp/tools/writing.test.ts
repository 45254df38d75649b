import assert from "node:assert/strict";
import { test } from "node:test";
import { FULL } from "../../api/support/two-projects.ts";
import { contents } from "../../contents.ts";
import { type World, world } from "../../world.ts";
import { addLead } from "../support/assistant.ts";
import { type Answer, Caller, when } from "../support/using.ts";

type Lead = { id: string; version: number } & Answer;

const eventsOf = (the: World, id: string) =>
  the.sql<{ type: string; source: string; actor: Answer; data: Answer }>(
    "SELECT type, source, actor, data FROM store.event WHERE lead_id = $1 ORDER BY id",
    [id],
  );

test("create_lead creates a lead, and the timeline names the application and the person", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const { outcome, lead } = await caller.call("create_lead", {
    lead: { name: "Nadia", email: "Nadia@example.org", tags: ["vip"], score: 7, do_not_contact: true },
  });
  const { id, version, status, tags, score } = lead as Lead;
  assert.deepEqual([outcome, version, status, tags, score], ["created", 1, "new", ["vip"], 7]);
  const [event] = await eventsOf(the, id);
  assert.deepEqual([event?.type, event?.source], ["lead.created", "mcp"]);
  assert.equal(event?.actor.label, `Test application, for ${the.person.name}`);
});

test("an existing lead is refused, returned or changed, according to on_duplicate", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const { lead: first } = await caller.call("create_lead", {
    lead: { email: "nadia@example.org", name: "Nadia" },
  });
  const { id } = first as Lead;
  const again = { lead: { email: "NADIA@example.org", name: "N. Brandt" } };
  const refused = await caller.failure("create_lead", again);
  assert.match(refused.next_step, /on_duplicate/);
  assert.deepEqual(
    refused.details?.map(({ message }) => message),
    [id],
  );
  const returned = await caller.call("create_lead", { ...again, on_duplicate: "return" });
  assert.deepEqual([returned.outcome, (returned.lead as Lead).name], ["unchanged", "Nadia"]);
  const updated = await caller.call("create_lead", { ...again, on_duplicate: "update" });
  assert.deepEqual([updated.outcome, (updated.lead as Lead).name], ["updated", "N. Brandt"]);
  assert.equal((updated.lead as Lead).id, id);
  const second = await addLead(the, { email: "nadia@example.org" });
  for (const mode of ["return", "update"]) {
    const { why, details } = await caller.failure("create_lead", { ...again, on_duplicate: mode });
    assert.match(why, /2 leads/);
    assert.deepEqual(details?.map(({ message }) => message).sort(), [id, second].sort());
  }
});

test("of many calls at once that make the same lead, one makes it", async () => {
  await using the = await world({ alone: true });
  const caller = await Caller.in(the);
  for (const mode of ["fail", "return", "update"]) {
    const args = { lead: { phone: "+55 11 91234-5678", name: "Ana" }, on_duplicate: mode };
    await the.sql("DELETE FROM store.lead");
    const results = await Promise.all(
      Array.from({ length: 12 }, () => caller.assistant.call("create_lead", args)),
    );
    const made = results.filter((result) => result.structuredContent?.outcome === "created");
    assert.equal(made.length, 1, mode);
    assert.equal(results.filter(({ isError }) => isError === true).length, mode === "fail" ? 11 : 0);
  }
});

test("a lead with invalid fields is refused with the path of each, and none is created", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const before = await contents(the);
  const wrong: [object, RegExp][] = [
    [{ lead: {} }, /\$\.lead needs at least one field/],
    [{ lead: { email: "nobody" } }, /\$\.lead\.email/],
    [{ lead: { status: "nope" } }, /\$\.lead\.status/],
    [{ lead: { custom: { nope: 1 } } }, /\$\.lead\.custom\.nope/],
    [{ lead: { nmae: "x" } }, /\$\.lead\.nmae is not a known key/],
    [{ lead: { name: "x" }, on_duplicate: "ignore" }, /\$\.on_duplicate/],
  ];
  for (const [args, why] of wrong) assert.match((await caller.failure("create_lead", args)).why, why);
  assert.deepEqual(await contents(the), before);
});

test("update_lead sets and clears fields, keeps the others, and refuses an outdated version", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const key = await the.key(FULL);
  await key.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" });
  const id = await addLead(the, {
    name: "Nadia",
    company: "Kiosk",
    lost_reason: "price",
    custom: { plan: "pro" },
  });
  const { outcome, lead } = await caller.call("update_lead", {
    ...{ id, expected_version: 1, set: { name: "Nadia Brandt" }, clear: ["lost_reason", "custom.plan"] },
  });
  const { name, company, version, custom, lost_reason: reason } = lead as Lead;
  assert.deepEqual([outcome, name, company, version], ["updated", "Nadia Brandt", "Kiosk", 2]);
  assert.deepEqual([custom, reason], [{}, undefined]);
  const changed = (await eventsOf(the, id)).filter(({ type }) => type === "lead.updated");
  assert.deepEqual(changed.map(({ data }) => data.field).sort(), ["custom.plan", "lost_reason", "name"]);
  assert.ok(changed.every(({ source }) => source === "mcp"));

  const before = await contents(the);
  const lost = await caller.failure("update_lead", { id, expected_version: 1, set: { name: "Other" } });
  assert.match(lost.why, /now at version 2/);
  assert.match(lost.next_step, /get_lead.*expected_version/);
  const wrong: [object, RegExp][] = [
    [{ id }, /\$\.set must have at least one field/],
    [{ id, set: { email: "nobody" } }, /\$\.set\.email/],
    [{ id, set: { name: "x" }, clear: ["name"] }, /\$\.clear\[0\]/],
    [{ id, set: { score: 1 }, clear: ["lost_reason", "nope"] }, /^\$\.clear\[1\] is not a field/],
    [{ id, clear: ["status"] }, /^\$\.clear\[0\] must not be empty/],
    [{ id, clear: ["custom.zz"] }, /^\$\.clear\[0\] is not a custom field/],
    [{ id, clear: ["n".repeat(90)] }, /^\$\.clear\[0\] /],
    [{ id, set: { custom: { zz: 1 } } }, /^\$\.set\.custom\.zz /],
    [{ id: "lead_x", set: { name: "x" } }, /No such lead/],
  ];
  for (const [args, why] of wrong) assert.match((await caller.failure("update_lead", args)).why, why);
  assert.deepEqual(await contents(the), before);
});

test("add_lead_event records once what is sent twice under one key", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Nadia" });
  const args = { id, type: "call.made", data: { outcome: "interested" }, external_id: "call-1" };
  const first = await caller.call("add_lead_event", args);
  const again = await caller.call("add_lead_event", args);
  assert.deepEqual([first.created, again.created], [true, false]);
  assert.deepEqual((first.event as Lead).id, (again.event as Lead).id);
  const events = await eventsOf(the, id);
  assert.deepEqual(
    events.map(({ source, type }) => [source, type]),
    [["mcp", "call.made"]],
  );
  assert.match(String(events[0]?.actor.label), new RegExp(the.person.name));
  assert.match((await caller.failure("add_lead_event", { id, type: "lead.won" })).why, /\$\.type/);
  const forged = { id, type: "a.b", source: "crm" };
  assert.match((await caller.failure("add_lead_event", forged)).why, /\$\.source is not a known key/);
});

test("a bulk change starts with a dry run: it reports what the change then does, and nothing else is changed", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  for (let n = 0; n < 8; n += 1)
    await addLead(the, { name: `Lead ${n}`, status: n < 7 ? "new" : "won", source: "web" });
  const args = {
    filter: when("status", "eq", "new"),
    action: "set",
    set: { status: "contacted" },
    clear: ["source"],
  };
  const before = await contents(the);
  const rehearsed = await caller.call("bulk_update_leads", args);
  assert.deepEqual(await contents(the), before);
  const { dry_run: dry, matched, updated, expected_count: expected, sample } = rehearsed;
  assert.deepEqual([dry, matched, updated, expected], [true, 7, 7, 7]);
  const shown = sample as { title: string; changes: object[] }[];
  assert.equal(shown.length, 5);
  assert.match(shown[0]?.title ?? "", /^Lead \d$/);
  assert.deepEqual(shown[0]?.changes, [
    { field: "source", from: "web" },
    { field: "status", from: "new", to: "contacted" },
  ]);

  const real = { ...args, dry_run: false };
  assert.match((await caller.failure("bulk_update_leads", real)).why, /\$\.expected_count/);
  const other = await caller.failure("bulk_update_leads", { ...real, expected_count: 6 });
  assert.match(other.why, /7 leads, not 6/);
  assert.match(other.next_step, /dry_run: true/);
  assert.deepEqual(await contents(the), before);
  const done = await caller.call("bulk_update_leads", { ...real, expected_count: expected });
  assert.deepEqual([done.dry_run, done.matched, done.updated], [false, 7, 7]);
  const { total } = await caller.call("query_leads", { filter: when("status", "eq", "contacted") });
  assert.equal(total, 7);
});

test("tags are added and removed in bulk; a change of every lead has to be meant", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Nadia", tags: ["old"] });
  const bulk = (args: object) =>
    caller.call("bulk_update_leads", { search: "nadia", dry_run: false, ...args });
  await bulk({ action: "add_tags", tags: ["vip"], expected_count: 1 });
  await bulk({ action: "remove_tags", tags: ["old"], expected_count: 1 });
  assert.deepEqual(((await caller.call("get_lead", { id })).lead as Lead).tags, ["vip"]);
  const wrong: [object, RegExp][] = [
    [{ action: "add_tags", tags: ["x"] }, /\$\.filter is required/],
    [{ search: " ", action: "add_tags", tags: ["x"] }, /\$\.filter is required/],
    [{ search: "\t\u00a0\n", action: "set", set: { name: "x" } }, /\$\.filter is required/],
    [{ search: "n", action: "add_tags" }, /\$\.tags is required/],
    [{ search: "n", action: "set", tags: ["x"] }, /\$\.tags/],
    [{ search: "n", action: "set" }, /\$\.set must have at least one field/],
    [{ search: "n", action: "add_tags", tags: ["x"], set: { name: "x" } }, /\$\.set/],
    [{ search: "n", action: "set", set: { status: "nope" } }, /\$\.set\.status/],
    [{ search: "n", action: "set", clear: ["company", "nope"] }, /^\$\.clear\[1\] /],
    [{ search: "n", action: "set", clear: ["custom.zz"] }, /^\$\.clear\[0\] /],
    [{ filter: when("nope", "eq", 1), action: "add_tags", tags: ["x"] }, /\$\.filter\.any\[0\]\.all\[0\]/],
  ];
  for (const [args, why] of wrong) assert.match((await caller.failure("bulk_update_leads", args)).why, why);
});

test("a writer who may not read gets no dry run of a filter, and is shown no lead by a question", async () => {
  await using the = await world();
  const caller = await Caller.in(the, { scopes: ["mcp:write"] });
  const id = await addLead(the, { name: "Nadia Secret", status: "new" });
  const args = { filter: when("status", "eq", "new"), action: "set", set: { status: "won" } };
  assert.ok(!caller.tools.has("bulk_update_leads"), "it finds leads, so it is not listed");
  const refused = await caller.assistant.ask("tools/call", { name: "bulk_update_leads", arguments: args });
  assert.equal(refused.status, 403);
  assert.match(refused.headers.get("www-authenticate") ?? "", /insufficient_scope.*mcp:read/);
  assert.doesNotMatch(await refused.text(), /Secret|matched/);
  const { message } = await caller.asked("delete_lead", { id }, { action: "decline" });
  assert.ok(message.includes(id) && !message.includes("Secret"));
  const { lead } = await caller.call("update_lead", { id, set: { score: 1 } });
  assert.ok(!JSON.stringify(lead).includes("Secret"));
});

test("write_dataset writes all rows or none, and names the invalid one", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const key = await the.key(FULL);
  await key.send("POST", "/api/v1/datasets", {
    key: "companies",
    columns: [
      { key: "domain", type: "text", required: true, unique: true },
      { key: "size", type: "integer" },
    ],
    key_column: "domain",
  });
  const write = (mode: string, rows: object[]) => ({ dataset: "companies", mode, rows });
  const rows = [{ domain: "a.example", size: 1 }, { domain: "b.example" }];
  const made = await caller.call("write_dataset", write("upsert", rows));
  assert.deepEqual([made.created, made.updated, made.unchanged], [2, 0, 0]);
  const again = await caller.call("write_dataset", write("upsert", rows));
  assert.deepEqual([again.created, again.updated, again.unchanged], [0, 0, 2]);
  const bad = await caller.failure(
    "write_dataset",
    write("upsert", [{ domain: "c.example" }, { size: "many" }]),
  );
  assert.ok(bad.details?.some(({ path }) => path.startsWith("$.rows[1]")));
  assert.equal((await caller.call("read_dataset", { dataset: "companies" })).total, 2);
  assert.match(
    (await caller.failure("write_dataset", { ...write("insert", rows), dataset: "x" })).next_step,
    /read_dataset without/,
  );
});

test("a call on a merged lead names the surviving lead, whatever the tool", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const id = await addLead(the, { name: "Nadia" });
  const merged = await addLead(the, { name: "N. Brandt", merged_into_id: id });
  const calls: [string, object][] = [
    ["get_lead", { id: merged }],
    ["get_lead_timeline", { id: merged }],
    ["update_lead", { id: merged, set: { name: "x" } }],
    ["delete_lead", { id: merged, confirm: true }],
    ["add_lead_event", { id: merged, type: "note.added" }],
  ];
  for (const [name, args] of calls) {
    const { why, next_step: next } = await caller.failure(name, args);
    assert.match(why, new RegExp(`merged into ${id}`), name);
    assert.match(next, /lead named in details/, name);
  }
});

test("what an assistant wrote is in the history of the project as its own, and the person undoes it", async () => {
  await using the = await world();
  const caller = await Caller.in(the);
  const created = await caller.call("create_lead", { lead: { name: "Nadia", city: "Natal" } });
  const { id, version } = created.lead as Lead;
  const updated = await caller.call("update_lead", {
    id,
    expected_version: version,
    set: { city: "Recife" },
  });
  const again = (updated.lead as Lead).version;
  const same = await caller.call("update_lead", { id, expected_version: again, set: { city: "Recife" } });
  assert.equal(same.change_id, undefined, "what was so already is no change");
  const browser = await the.signedIn();
  const { token } = (await (await browser.get("/panel/api/me")).json()) as { token: string };
  const Cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const headers = { Cookie, "X-Form-Token": token, "Content-Type": "application/json" };
  const api = async (path: string, more: RequestInit = {}) => {
    const url = `${the.authUrl}/panel/api/${the.project.id}/v1/${path}`;
    return (await (await fetch(url, { headers, ...more })).json()) as Answer;
  };
  const { changes } = (await api("changes")) as { changes: Answer[] };
  assert.deepEqual(
    changes.map(({ id: change, kind, surface }) => [change, kind, surface]),
    [
      [updated.change_id, "lead.update", "mcp"],
      [created.change_id, "lead.upsert", "mcp"],
    ],
  );
  const { counts } = await api(`changes/${String(updated.change_id)}/undo`, {
    ...{ method: "POST", body: "{}" },
  });
  assert.deepEqual(counts, { put_back: 1, deleted: 0, restored: 0, withdrawn: 0, kept: 0 });
  const { lead } = await caller.call("get_lead", { id });
  assert.equal((lead as Answer).city, "Natal");
});
