import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { heldLead } from "../held-lead.ts";
import { lockWaits } from "../lock-waits.ts";
import { Assistant } from "../mcp/support/assistant.ts";
import { blockOf } from "../operate/support/blocks.ts";
import { type Line, logging, partsOf } from "./support/logging.ts";

/** Numbers that differ from run to run are checked by themselves. */
const TIMES = ["ms", "queue_ms", "wait_ms", "database_ms", "commit_ms", "unread_ms"];
const MEASURED = [...TIMES, "bytes_in", "bytes_out", "statements", "lane"];
const OF_PINO = ["level", "time", "pid", "hostname", "reqId", "msg"];

const namesOf = (line: Line): Line =>
  Object.fromEntries(Object.entries(line).filter(([name]) => ![...MEASURED, ...OF_PINO].includes(name)));

/** The lane is that of the longest statement, which may also be the check of a credential, by key. */
function checkMeasured(line: Line, lane = "keyed"): void {
  assert.ok([lane, "keyed"].includes(String(line.lane)), JSON.stringify(line));
  const { parts, whole } = partsOf(line);
  assert.ok(parts <= whole + 0.001, `${parts} of ${whole} ms: ${JSON.stringify(line)}`);
  assert.ok(Number(line.database_ms) > 0 && Number(line.statements) >= 1, JSON.stringify(line));
}

const bodyOf = async (answer: Response) => (await answer.json()) as Record<string, unknown>;

test("each request has one line with its caller, by ids, and what it took: a key, a token, a person, nobody", async () => {
  await using log = await logging();
  const { the } = log;
  const key = await log.key(["leads:read", "leads:write"]);
  const address = { address: "127.0.0.1" };
  const created = await key.send("POST", "/api/v1/leads", { name: "Ana" });
  const { id } = await bodyOf(created);
  const first = await log.lineOf(created);
  assert.deepEqual(namesOf(first), {
    ...{ listener: "api", method: "POST", route: "/api/v1/leads", status: 201, ...address },
    ...{ operation: "leads.create" },
    ...{ project: the.project.id, credential: "key", credential_id: key.id },
  });
  checkMeasured(first, "long");
  // Short enough not to be compressed.
  const page = await key.query({ limit: 1, fields: ["name"] });
  const text = await page.text();
  const line = await log.lineOf(page);
  assert.equal(line.route, "/api/leads/query/");
  checkMeasured(line, "query");
  assert.ok(Number(line.bytes_out) > text.length && Number(line.bytes_out) < text.length + 2_000);
  assert.ok(Number(line.bytes_in) > 100 && Number(line.bytes_in) < 2_000);
  const shown = JSON.parse(blockOf("logs.md", "The access log")) as Line;
  assert.deepEqual(Object.keys(line).sort(), Object.keys(shown).sort(), "as the page shows it");
  await (await key.send("GET", `/api/v1/leads/${id}`)).text();
  assert.ok(!log.text().includes(String(id)), "a path is not in the log");

  const assistant = await Assistant.authorized(the);
  const asked = await assistant.ask("tools/call", { name: "query_leads", arguments: { limit: 1 } });
  await asked.text();
  const [authorization] = await the.sql<{ id: string }>('SELECT id FROM store."authorization"');
  const tool = await log.lineOf(asked);
  assert.deepEqual(namesOf(tool), {
    ...{ listener: "web", method: "POST", route: "/mcp", status: 200, ...address },
    ...{ operation: "leads.query" },
    ...{ project: the.project.id, credential: "token", credential_id: authorization?.id },
  });
  checkMeasured(tool, "query");

  const browser = await the.signedIn();
  const lead = await browser.get(`/panel/api/${the.project.id}/v1/leads/${id}`);
  assert.equal(lead.status, 200, await lead.text());
  const session = await log.lineOf(lead);
  const ids = await the.sql<{ id: string }>(
    "SELECT id FROM leadgate.session ORDER BY created_at DESC LIMIT 1",
  );
  const { route, ...others } = namesOf(session);
  assert.equal(route, "/panel/api/:project/v1/leads/:id");
  assert.deepEqual(others, {
    ...{ listener: "web", method: "GET", status: 200, ...address },
    ...{ operation: "leads.get" },
    ...{ project: the.project.id, credential: "session", credential_id: ids[0]?.id },
  });
  checkMeasured(session);
  const me = await browser.get("/panel/api/me");
  await me.text();
  const own = namesOf(await log.lineOf(me));
  assert.deepEqual([own.credential, own.credential_id, own.project], ["session", ids[0]?.id, undefined]);

  const anonymous = await fetch(`${the.authUrl}/sign-in`);
  await anonymous.text();
  assert.deepEqual(namesOf(await log.lineOf(anonymous)), {
    ...{ listener: "web", method: "GET", route: "/sign-in", status: 200, ...address },
  });
});

test("a refused request names its refusal, and its caller only if the credential is valid", async () => {
  await using log = await logging();
  const { the } = log;
  const key = await log.key(["leads:read"]);
  const forbidden = await key.send("POST", "/api/v1/leads", { name: "Ana" });
  await forbidden.text();
  const line = await log.lineOf(forbidden);
  assert.deepEqual(
    [line.status, line.refusal, line.credential_id, line.project],
    [403, "missing_permission", key.id, the.project.id],
  );
  const wrong = await fetch(`${the.baseUrl}/api/v1/leads/lead_00000000000000000000000000`, {
    headers: { Authorization: `Bearer ${key.text.slice(0, -4)}AAAA` },
  });
  await wrong.text();
  const unknown = await log.lineOf(wrong);
  assert.deepEqual(
    [unknown.status, unknown.refusal, unknown.credential, unknown.credential_id, unknown.project],
    [401, "invalid_key", undefined, undefined, undefined],
  );
  const nowhere = await fetch(`${the.baseUrl}/api/v1/nothing`);
  await nowhere.text();
  const lost = await log.lineOf(nowhere);
  assert.deepEqual([lost.status, lost.refusal, lost.route], [404, "not_found", undefined]);
  const assistant = await Assistant.authorized(the);
  const asked = await assistant.ask("tools/call", {
    name: "get_lead",
    arguments: { id: "lead_00000000000000000000000000" },
  });
  await asked.text();
  const tool = await log.lineOf(asked);
  assert.deepEqual([tool.status, tool.refusal], [200, "not_found"]);
});

test("a run of a job has a line with its kind, its outcome and who started it", async () => {
  await using log = await logging();
  const { the } = log;
  const key = await log.key(["leads:read", "leads:write"]);
  const started = await key.send("POST", "/api/v1/exports", { format: "csv" });
  const { id } = await bodyOf(started);
  const line = await log.line(({ msg }) => msg === "ran");
  const { job, ...names } = namesOf(line);
  assert.equal(job, id);
  assert.deepEqual(names, {
    ...{ kind: "export", attempt: 1, outcome: "done", operation: "job export" },
    ...{ project: the.project.id, credential: "key", credential_id: key.id },
  });
  checkMeasured(line, String(line.lane));
});

test("no header, path, query, body or filter can put anything else into the log", async () => {
  await using log = await logging({ SLOW_LOG_MS: "1" });
  const { the } = log;
  const canary = "canary7f3a";
  const hostile = `${canary}"},{"level":60,"msg":"${canary}`;
  const key = await log.key(["leads:read", "leads:write"]);
  const headers = {
    ...{
      "User-Agent": canary,
      Referer: `http://${canary}/`,
      "X-Request-Id": canary,
      Cookie: `leadgate_session=${canary}`,
    },
    ...{
      Traceparent: canary,
      "X-Forwarded-For": canary,
      "Accept-Language": canary,
      Origin: `http://${canary}`,
    },
  };
  const shared = [`/${canary}`, `/${encodeURIComponent(hostile)}`];
  const pages = [
    `/setup/${canary}?${canary}`,
    `/oauth/authorize?client_id=${canary}&redirect_uri=https://${canary}/`,
  ];
  const calls = [
    `/api/v1/leads/${encodeURIComponent(hostile)}`,
    `/api/v1/views?${encodeURIComponent(hostile)}=%0A${canary}%0D%0A`,
  ];
  const urls = [
    ...[...shared, ...pages].map((path) => `${the.authUrl}${path}`),
    ...[...shared, ...calls].map((path) => `${the.baseUrl}${path}`),
  ];
  for (const url of urls)
    for (const authorization of [`Bearer ${canary}`, `Bearer ${key.text}`, `Basic ${canary}`])
      await (await fetch(url, { headers: { ...headers, Authorization: authorization } })).text();
  const made = await key.send("POST", "/api/v1/leads", { name: hostile, email: `${canary}@example.org` });
  assert.equal(made.status, 201);
  const filter = {
    or: [
      { field: "name", op: "contains", value: hostile },
      { field: "email", op: "eq", value: `${canary}@example.org` },
      { field: "created_at", op: "after", value: "2031-01-31" },
      { field: "score", op: "gt", value: 73_313 },
    ],
  };
  for (const path of ["/api/v1/leads/search", "/api/v1/leads/count", "/api/v1/leads/filters/validate"])
    await (await key.send("POST", path, { filter })).text();
  await (await key.send("POST", "/api/v1/leads/search", { search: canary })).text();
  const last = await key.send("POST", "/api/v1/leads/search", { filter: hostile });
  await log.lineOf(last);
  for (const line of log.lines()) assert.notEqual(line.level, 60);
  assert.ok(
    log.lines().some(({ msg }) => msg === "slow"),
    "there are slow operations, too",
  );
  for (const secret of [canary, "73313", "73,313", "2031", key.text, key.text.slice(-20)])
    assert.ok(!log.text().includes(secret), `${secret} is in the log`);
});

test("a client that hangs up has its line once the work has ended, with the time that this took", async () => {
  await using log = await logging({ SLOW_LOG_MS: "300" });
  const { the } = log;
  const key = await log.key(["leads:read", "leads:write"]);
  await using held = await heldLead(the, key);
  const gone = new AbortController();
  const patch = fetch(`${the.baseUrl}/api/v1/leads/${held.id}`, {
    method: "PATCH",
    headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: "Bea" }),
    signal: gone.signal,
  });
  while ((await lockWaits(the)) === 0) await sleep(20);
  gone.abort();
  await assert.rejects(patch);
  await sleep(400);
  assert.ok(!log.lines().some(({ status }) => status === 499), "the work has not ended");
  await held.holder.query("COMMIT");
  const line = await log.line(({ status }) => status === 499);
  assert.deepEqual([line.hung_up, line.operation, line.msg], [true, "leads.update", "answered"]);
  const slow = await log.line(({ msg, status }) => msg === "slow" && status === 499);
  assert.equal(slow.reqId, line.reqId);
  assert.ok(Number(slow.database_ms) >= 300);
});

test("a stream has its line when it ends", async () => {
  await using log = await logging();
  const key = await log.key(["leads:read"]);
  const gone = new AbortController();
  const stream = await fetch(`${log.the.baseUrl}/api/v1/events/stream`, {
    headers: { Authorization: `Bearer ${key.text}` },
    signal: gone.signal,
  });
  assert.equal(stream.status, 200);
  const isIts = ({ route }: Line) => route === "/api/v1/events/stream";
  assert.ok(!log.lines().some(isIts));
  await sleep(200);
  gone.abort();
  const line = await log.line(isIts);
  assert.deepEqual([line.status, line.hung_up, line.credential_id], [200, true, key.id]);
  assert.ok(Number(line.ms) >= 200);
});
