import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { Refusal } from "../../src/core/refusal.ts";
import { sweepApprovals } from "../../src/domain/approvals/sweep-approvals.ts";
import type { Browser } from "../browser.ts";
import { type World, world } from "../world.ts";
import { type AskingApplication, approvalPage, askingApplication } from "./support/asking.ts";

let the: World;
let asking: AskingApplication;
let person: Browser;

before(async () => {
  the = await world();
  asking = await askingApplication(the);
  person = await the.signedIn();
});
after(async () => await the[Symbol.asyncDispose]());

let leads = 0;

/** Adds a lead to the project and returns its id. */
async function lead(name: string, email: string | null = null): Promise<string> {
  leads += 1;
  const id = `lead_${String(leads).padStart(26, "0")}`;
  await the.sql(
    "INSERT INTO store.lead (project_id, id, name, email, status) VALUES ($1, $2, $3, $4, 'new')",
    [the.project.id, id, name, email],
  );
  return id;
}

const leadAs = async (id: string) =>
  (
    await the.sql<{ status: string; deleted: boolean; version: number }>(
      "SELECT status, deleted_at IS NOT NULL AS deleted, version FROM store.lead WHERE id = $1",
      [id],
    )
  )[0];

const codeOf = async (work: Promise<unknown>) =>
  await work.then(
    () => "done",
    ({ kind, code }: Refusal) => `${kind} ${code}`,
  );

test("an application proposes a change, its person sees the difference and approves it, the application does it once, and the person undoes it", async () => {
  const id = await lead("Bruno Lima");
  const input = { id, lead: { status: "contacted", city: "Recife" } };
  const proposal = await asking.propose("leads.update", input, "Bruno answered");
  const [record] = proposal.preview.records;
  assert.deepEqual(record?.changes, [
    { field: "city", from: null, to: "Recife" },
    { field: "status", from: "new", to: "contacted" },
  ]);
  const again = await asking.propose("leads.update", { lead: input.lead, id }, "Once more");
  assert.equal(again.id, proposal.id, "what waits already is not stored again");
  assert.equal((await leadAs(id))?.status, "new");

  const page = await approvalPage(person, proposal.url);
  assert.equal(page.status, 200);
  assert.match(page.text, /Deal Finder<\/bdi><\/strong> wants to change a lead in/);
  assert.match(page.text, /Bruno answered/);
  assert.match(page.text, /City<\/td>\s*<td data-label="Before">.*empty.*<td data-label="After"><bdi>Recife/);
  assert.equal((await leadAs(id))?.status, "new", "the page changes nothing");
  assert.equal((await asking.state(proposal.id)).state, "waiting");

  assert.equal((await page.decide("approve")).status, 303);
  const state = await asking.state(proposal.id);
  assert.equal(state.state, "done");
  assert.deepEqual(state.outcome, { lead_id: id, outcome: "updated", version: 2 });
  assert.equal((await leadAs(id))?.status, "contacted");
  const [change] = await the.sql<{ surface: string; actor: { type: string; label: string } }>(
    "SELECT surface, actor FROM store.change WHERE id = $1",
    [state.change_id],
  );
  assert.equal(change?.surface, "mcp");
  assert.deepEqual(change?.actor, { ...change?.actor, type: "token", label: "Deal Finder, for Ada Moreira" });

  await page.decide("approve");
  assert.equal((await leadAs(id))?.version, 2, "a second approval does nothing");
  const ended = await approvalPage(person, proposal.url);
  assert.match(ended.text, new RegExp(`/history/${state.change_id}`));
  assert.doesNotMatch(ended.text, /class="decision"/);

  const back = await asking.propose("changes.undo", { id: state.change_id });
  await (await approvalPage(person, back.url)).decide("approve");
  assert.equal((await asking.state(back.id)).state, "done");
  assert.equal((await leadAs(id))?.status, "new");
  const log = await the.sql<{ action: string; actor: string }>(
    "SELECT action, actor FROM leadgate.audit WHERE data ->> 'approval_id' = $1",
    [proposal.id],
  );
  assert.deepEqual(log, [{ action: "approval.approved", actor: the.person.id }]);
});

test("a refused proposal is not stored, and neither is one that would change nothing", async () => {
  const id = await lead("Clara");
  const waiting = async () => (await the.sql("SELECT FROM store.approval WHERE state = 'waiting'")).length;
  const stored = await waiting();
  assert.equal(
    await codeOf(asking.propose("leads.update", { id, lead: { nme: "x" } })),
    "malformed unknown_key",
  );
  assert.equal(
    await codeOf(asking.propose("leads.update", { id, version: 7, lead: { city: "x" } })),
    "stale stale",
  );
  assert.equal(
    await codeOf(asking.propose("leads.update", { id, lead: { name: "Clara" } })),
    "conflict nothing_to_approve",
  );
  assert.equal(await codeOf(asking.propose("leads.update", { id, lead: { city: "a\0" } })), "malformed nul");
  assert.equal(await codeOf(asking.propose("people.erase", { email: "a@example.org" })), "malformed one_of");
  assert.equal(await waiting(), stored);
});

test("a declined proposal and one that nobody decided in ten minutes change nothing, and cannot be approved any more", async () => {
  const id = await lead("Davi");
  const declined = await asking.propose("leads.delete", { id });
  const page = await approvalPage(person, declined.url);
  assert.match(page.text, /wants to delete a lead/);
  await page.decide("decline");
  assert.equal((await asking.state(declined.id)).state, "declined");
  await page.decide("approve");
  assert.match((await approvalPage(person, declined.url)).text, /You declined this change/);

  const late = await asking.propose("leads.delete", { id });
  assert.notEqual(late.id, declined.id);
  const open = await approvalPage(person, late.url);
  await the.sql("UPDATE store.approval SET expires_at = now() WHERE id = $1", [late.id]);
  await open.decide("approve");
  assert.match((await approvalPage(person, late.url)).text, /Nobody decided about this change in time/);
  const { state, url, outcome } = await asking.state(late.id);
  assert.deepEqual({ state, url, outcome }, { state: "expired", url: null, outcome: null });
  assert.equal((await leadAs(id))?.deleted, false);
  const kept = await the.sql("SELECT FROM store.approval WHERE id = ANY ($1) AND input IS NOT NULL", [
    [declined.id, late.id],
  ]);
  assert.deepEqual(kept, [], "what was proposed is not kept");
});

test("nobody but the person who connected the application sees or decides a proposal; a visitor signs in and comes back", async () => {
  const id = await lead("Eva");
  const { url, id: approval } = await asking.propose("leads.delete", { id });
  const owner = await the.newPerson("Otto");
  await the.join(owner, the.project.id, "owner");
  const stranger = await the.signedIn(owner);
  assert.equal((await approvalPage(stranger, url)).status, 404);
  const page = await approvalPage(person, url);
  const token = /name="form_token" value="([^"]*)"/.exec(
    await (await stranger.get("/connected-apps")).text(),
  )?.[1];
  const seen = /name="seen" value="([^"]*)"/.exec(page.text)?.[1] ?? "";
  const { pathname } = new URL(url);
  const fields = { form_token: token ?? "", seen, decision: "approve" };
  assert.equal((await stranger.post(pathname, fields)).status, 404);
  assert.equal(
    (await person.post(pathname, { seen, decision: "approve" })).status,
    403,
    "without our form's token",
  );
  assert.equal((await person.get(`${pathname.slice(0, -2)}AA`)).status, 404, "a link that we did not make");
  const visitor = await the.browser().get(pathname);
  assert.equal(visitor.headers.get("location"), `/sign-in?to=${encodeURIComponent(pathname)}`);
  const other = await askingApplication(the, { name: "Another" });
  assert.equal(await codeOf(other.state(approval)), "not_found not_found");
  assert.equal((await leadAs(id))?.deleted, false);
  assert.equal((await asking.state(approval)).state, "waiting");
  assert.match(
    (await person.get(pathname)).headers.get("content-security-policy") ?? "",
    /frame-ancestors 'none'/,
  );
});

test("of two approvals at once, one is done", async () => {
  const id = await lead("Fabi");
  const { url, id: approval } = await asking.propose("timeline.add", {
    id,
    event: { type: "call.made", title: "Called" },
  });
  const second = await the.signedIn();
  const pages = await Promise.all([approvalPage(person, url), approvalPage(second, url)]);
  const answers = await Promise.all(pages.map((page) => page.decide("approve")));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [303, 303],
  );
  assert.equal((await asking.state(approval)).state, "done");
  const events = await the.sql("SELECT FROM store.event WHERE lead_id = $1 AND type = 'call.made'", [id]);
  assert.equal(events.length, 1);
});

test("a diff that is another one by now is shown again; what cannot be done any more fails, and says why", async () => {
  const id = await lead("Gil");
  const proposal = await asking.propose("leads.update", { id, lead: { status: "lost" } });
  const page = await approvalPage(person, proposal.url);
  await the.sql("UPDATE store.lead SET status = 'won', version = 2 WHERE id = $1", [id]);
  const answer = await page.decide("approve");
  assert.match(answer.headers.get("location") ?? "", /\?changed$/);
  assert.match(await (await person.get(answer.headers.get("location") ?? "")).text(), /not what you saw/);
  assert.equal((await leadAs(id))?.status, "won");
  const now = await approvalPage(person, proposal.url);
  await the.sql("UPDATE store.lead SET deleted_at = now() WHERE id = $1", [id]);
  await now.decide("approve");
  const { state, outcome } = await asking.state(proposal.id);
  assert.equal(state, "failed");
  assert.equal((outcome as { code: string }).code, "not_found");
  const failed = await approvalPage(person, proposal.url);
  assert.match(failed.text, /could not be done: Something that it needs does not exist any more/);
});

test("an application that lost its access changes nothing, even if the person approves afterwards", async () => {
  const id = await lead("Hugo");
  const gone = await askingApplication(the, { name: "Gone" });
  const { url } = await gone.propose("leads.delete", { id });
  const page = await approvalPage(person, url);
  await the.sql(
    "UPDATE store.authorization SET revoked_at = now(), revoked_why = 'person' WHERE client_name = 'Gone'",
  );
  assert.match((await approvalPage(person, url)).text, /has no access to this project any more/);
  await page.decide("approve");
  assert.match((await approvalPage(person, url)).text, /has no access to this project any more/);
  assert.equal((await leadAs(id))?.deleted, false);
});

test("what was being done when its process was killed is never done again: it counts as done if its change was recorded", async () => {
  const id = await lead("Igor");
  const [lost, made, running] = [
    await asking.propose("leads.update", { id, lead: { city: "Natal" } }),
    await asking.propose("leads.update", { id, lead: { city: "Belém" } }),
    await asking.propose("leads.update", { id, lead: { city: "Olinda" } }),
  ].map((proposal) => proposal.id) as [string, string, string];
  const run = `UPDATE store.approval SET state = 'running', decided_at = now() - $3::interval, request_id = $2 WHERE id = $1`;
  await the.sql(run, [lost, "req_lost", "6 minutes"]);
  await the.sql(run, [made, "req_made", "6 minutes"]);
  await the.sql(run, [running, "req_running", "1 minute"]);
  await the.sql(
    `INSERT INTO store.change (project_id, id, kind, surface, actor, counts, about, request_id, created_at)
    SELECT project_id, $2, 'lead.update', 'mcp', jsonb_build_object('type', 'token', 'id', authorization_id), '{}', '{}',
      'req_made', now() - interval '6 minutes' FROM store.approval WHERE id = $1`,
    [made, `chg_${"0".repeat(26)}`],
  );
  const [one, two, three] = [await asking.state(lost), await asking.state(made), await asking.state(running)];
  assert.deepEqual([one.state, two.state, three.state], ["failed", "done", "running"]);
  assert.equal(two.change_id, `chg_${"0".repeat(26)}`);
  assert.equal((one.outcome as { code: string }).code, "interrupted");
});

test("many leads at once are counted, the first fifty are shown, and a wrong count is refused", async () => {
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, status, source) SELECT $1, 'lead_' || lpad((1000 + n)::text, 26, '0'),
      'Bulk ' || n, 'new', 'fair' FROM generate_series(1, 60) AS n`,
    [the.project.id],
  );
  const filter = { field: "source", op: "eq", value: "fair" };
  const bulk = { op: "delete", filter, expected_count: 60 };
  assert.equal(
    await codeOf(asking.propose("leads.bulk", { ...bulk, expected_count: 59 })),
    "conflict count_changed",
  );
  const proposal = await asking.propose("leads.bulk", bulk);
  assert.equal(proposal.preview.total, 60);
  assert.equal(proposal.preview.records.length, 20);
  const page = await approvalPage(person, proposal.url);
  assert.match(page.text, /wants to delete 60 leads/);
  assert.match(page.text, /The first 50 of 60 records/);
  await page.decide("approve");
  const { state, outcome } = await asking.state(proposal.id);
  assert.equal(state, "done");
  assert.deepEqual(outcome, { matched: 60, updated: 60, unchanged: 0, failed: 0 });
});

test("hostile names and words of an application and of leads are shown as text", async () => {
  const hostile = `"><script>alert(1)</script>\u202e<form method="post"><input name="decision" value="approve">`;
  const evil = await askingApplication(the, { name: hostile });
  const id = await lead(hostile);
  const proposal = await evil.propose("leads.update", { id, lead: { city: hostile } }, hostile.slice(0, 60));
  const { text } = await approvalPage(person, proposal.url);
  assert.doesNotMatch(text, /<script>alert|<form method="post">/);
  assert.equal(text.match(/<form [^>]*action="\/approvals\//g)?.length, 1);
  assert.ok(text.includes("<bdi>&#34;&#62;&#60;script&#62;alert(1)"));
});

test("twenty proposals of an application wait at most, and another application's do not count", async () => {
  const many = await askingApplication(the, { name: "Many" });
  const id = await lead("Jana");
  for (let n = 0; n < 20; n += 1) await many.propose("leads.update", { id, lead: { city: `City ${n}` } });
  assert.equal(
    await codeOf(many.propose("leads.update", { id, lead: { city: "One more" } })),
    "too_many too_many_approvals",
  );
  assert.equal(await codeOf(many.propose("leads.update", { id, lead: { city: "City 3" } })), "done");
  assert.equal(await codeOf(asking.propose("leads.update", { id, lead: { city: "One more" } })), "done");
});

test("a person who is erased is not named by any proposal, and one that waited is over", async () => {
  const id = await lead("Lia", "lia@example.org");
  const title = "Write lia@example.org";
  const waiting = await asking.propose("leads.update", { id, lead: { city: "Natal" } }, title);
  const key = await the.key(["leads:read", "leads:write", "leads:erase"]);
  const answer = await key.send("POST", "/api/v1/people/erase", {
    email: "lia@example.org",
    expected_leads: 1,
  });
  assert.equal(answer.status, 200);
  const state = await asking.state(waiting.id);
  assert.equal(state.state, "expired");
  assert.doesNotMatch(state.title, /lia@/);
  const [row] = await the.sql<{ input: unknown }>("SELECT input FROM store.approval WHERE id = $1", [
    waiting.id,
  ]);
  assert.equal(row?.input, null);
});

test("the sweep ends what nobody decided, and removes proposals after a week", async () => {
  const id = await lead("Mia");
  const [late, old] = [
    await asking.propose("leads.update", { id, lead: { city: "Natal" } }),
    await asking.propose("leads.update", { id, lead: { city: "Belém" } }),
  ];
  await the.sql("UPDATE store.approval SET expires_at = now() WHERE id = ANY ($1)", [[late.id, old.id]]);
  await the.sql("UPDATE store.approval SET created_at = now() - interval '8 days' WHERE id = $1", [old.id]);
  await sweepApprovals(the.service);
  const rows = await the.sql("SELECT state, input FROM store.approval WHERE id = ANY ($1)", [
    [late.id, old.id],
  ]);
  assert.deepEqual(rows, [{ state: "expired", input: null }]);
});

test("more than ten thousand leads are shown by an example, and changed by a job of the application", async () => {
  await the.sql(
    `INSERT INTO store.lead (project_id, id, name, status, source) SELECT $1, 'lead_' || lpad((10000 + n)::text, 26, '0'),
      'Many ' || n, 'new', 'list' FROM generate_series(1, 10001) AS n`,
    [the.project.id],
  );
  const filter = { field: "source", op: "eq", value: "list" };
  const bulk = { op: "set", filter, set: { status: "lost" }, expected_count: 10_001 };
  const proposal = await asking.propose("leads.bulk", bulk);
  const { total, complete, in_background } = proposal.preview;
  assert.deepEqual(
    { total, complete, in_background },
    { total: 10_001, complete: false, in_background: true },
  );
  const page = await approvalPage(person, proposal.url);
  assert.match(page.text, /wants to change 10,001 leads[\s\S]*5 of 10,001 records, as an example/);
  await page.decide("approve");
  const { state, outcome, change_id } = await asking.state(proposal.id);
  assert.equal(state, "done");
  const { job_id: job } = outcome as { job_id: string };
  const ended = async () =>
    (
      await the.sql<{ state: string; change_id: string }>(
        "SELECT state, change_id FROM store.job WHERE id = $1",
        [job],
      )
    )[0];
  while (["waiting", "running"].includes((await ended())?.state ?? "")) await sleep(50);
  assert.deepEqual(await ended(), { state: "done", change_id });
  const lost = await the.sql("SELECT FROM store.lead WHERE source = 'list' AND status = 'lost'");
  assert.equal(lost.length, 10_001);
});
