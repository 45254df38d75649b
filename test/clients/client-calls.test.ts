import assert from "node:assert/strict";
import { after, test } from "node:test";
import { type Event, Leadgate, LeadgateError } from "../../clients/typescript/src/index.ts";
import { endEverything } from "../../src/domain/upkeep/end-everything.ts";
import { world } from "../world.ts";

const the = await world();
const key = await the.key(["leads:read", "leads:write"]);
after(() => the[Symbol.asyncDispose]());

/** Says what becomes of a request: `pass` lets it through, the others are faults of a network or a server. */
type Fate = "pass" | "answer lost" | "never arrives" | Response;

/** Returns a client whose requests meet these fates in their order, then pass; and what it sent. */
function clientWith(fates: Fate[], options: Partial<ConstructorParameters<typeof Leadgate>[0]> = {}) {
  const sent: string[] = [];
  const unreliable: typeof fetch = async (url, init) => {
    const fate = fates.shift() ?? "pass";
    sent.push(`${init?.method} ${new URL(String(url)).pathname}`);
    if (fate instanceof Response) return fate;
    if (fate === "never arrives") {
      return await new Promise((_, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason));
      });
    }
    const response = await fetch(url, init);
    if (fate === "answer lost") throw new TypeError("fetch failed");
    return response;
  };
  const leadgate = new Leadgate({ baseUrl: the.baseUrl, key: key.text, fetch: unreliable, ...options });
  return { leadgate, sent };
}

const refusal = (status: number, retryAfter: string, code = "limited"): Response =>
  new Response(JSON.stringify({ error: { code, message: "Wait.", details: [] } }), {
    status,
    headers: { "Retry-After": retryAfter },
  });

const failed = (call: Promise<unknown>): Promise<LeadgateError> =>
  call.then(
    () => assert.fail("the call succeeded"),
    (error: unknown) => {
      assert.ok(error instanceof LeadgateError, String(error));
      return error;
    },
  );

const leadsWith = async (externalId: string): Promise<number> => {
  const [row] = await the.sql<{ n: number }>(
    "SELECT count(*)::int AS n FROM store.lead WHERE external_id = $1",
    [externalId],
  );
  return row?.n ?? 0;
};

test("after 429 every call is repeated, also one that creates", async () => {
  const { leadgate, sent } = clientWith([refusal(429, "0"), refusal(429, "0")]);
  const { data, status } = await leadgate.leads.create({ external_id: "limited" });
  assert.equal(status, 201);
  assert.match(data.id, /^lead_/);
  assert.equal(sent.length, 3);
  assert.equal(await leadsWith("limited"), 1);
});

test("what an overloaded service or one that is being upgraded refused is repeated, also a call that creates, since nothing was done", async () => {
  for (const code of ["overloaded", "migrating"]) {
    const { leadgate, sent } = clientWith([refusal(503, "0", code)]);
    assert.equal((await leadgate.leads.create({ external_id: code })).status, 201);
    assert.equal(sent.length, 2);
  }
});

test("the service's own limit is waited for", async () => {
  await using narrow = await world({
    env: { LIMITS: JSON.stringify({ api: { perMinute: 30, burst: 1 } }) },
  });
  const { text } = await narrow.key(["leads:read"]);
  const statuses: number[] = [];
  const leadgate = new Leadgate({
    baseUrl: narrow.baseUrl,
    key: text,
    fetch: async (...words) => {
      const response = await fetch(...words);
      statuses.push(response.status);
      return response;
    },
  });
  let calls = 0;
  for (; calls < 20 && !statuses.includes(429); calls += 1) await leadgate.leads.count({});
  assert.ok(statuses.includes(429), statuses.join());
  assert.equal(statuses.filter((status) => status === 200).length, calls);
});

test("a read and an upsert are repeated after 503 and without a response; other writes are not", async () => {
  for (const fate of [refusal(503, "0"), "answer lost"] as const) {
    const fates = (): Fate[] => [fate instanceof Response ? refusal(503, "0") : fate];
    const status = fate instanceof Response ? 503 : 0;
    const reading = clientWith(fates());
    await reading.leadgate.leads.search({ filter: { field: "score", op: "gt", value: 5 } });
    await reading.leadgate.members.list();
    assert.equal(reading.sent.length, 3);

    const upserting = clientWith(fates());
    const lead = { external_id: `upsert-${status}`, name: "Eva" };
    const { outcome } = await upserting.leadgate.leads.upsert({ match_on: ["external_id"], lead });
    assert.equal(outcome, status === 0 ? "unchanged" : "created");
    assert.equal(await leadsWith(lead.external_id), 1);

    const creating = clientWith(fates());
    const error = await failed(creating.leadgate.leads.create({ external_id: `create-${status}` }));
    assert.equal(error.status, status);
    assert.equal(creating.sent.length, 1);
    assert.equal(await leadsWith(`create-${status}`), status === 0 ? 1 : 0);
  }
});

test("a lead is created once, although the response to its creation was lost", async () => {
  const { leadgate, sent } = clientWith(["pass", "answer lost"]);
  const { data, created } = await leadgate.leads.createOnce({ external_id: "form-1", name: "Caio" });
  assert.equal(created, false);
  assert.match(data.id, /^lead_/);
  assert.deepEqual(sent, ["POST /api/v1/leads/search", "POST /api/v1/leads", "POST /api/v1/leads/search"]);
  assert.equal(await leadsWith("form-1"), 1);
  assert.deepEqual(await clientWith([]).leadgate.leads.createOnce({ external_id: "form-1" }), {
    data: (await clientWith([]).leadgate.leads.get(data.id)).data,
    created: false,
  });
});

test("what an overloaded service refused is not repeated once more for a lead that is created once", async () => {
  for (const [status, code] of [
    [503, "overloaded"],
    [503, "migrating"],
    [429, "too_many_at_once"],
  ] as const) {
    const refused = [1, 2, 3, 4, 5].map(() => refusal(status, "0", code));
    const { leadgate, sent } = clientWith(["pass", ...refused]);
    const error = await failed(leadgate.leads.createOnce({ external_id: `once-${code}` }));
    assert.equal(error.code, code);
    assert.equal(sent.length, 6);
    assert.equal(await leadsWith(`once-${code}`), 0);
  }
});

test("a lead that is created once is not waited for longer than the client may wait", async () => {
  const { leadgate, sent } = clientWith(["pass", refusal(503, "1")], { longestWait: 500 });
  assert.equal((await failed(leadgate.leads.createOnce({ external_id: "long" }))).retryAfter, 1);
  assert.equal(sent.length, 2);
});

test("attempts and waits have an upper limit", async () => {
  const often = clientWith([refusal(503, "0"), refusal(503, "0"), refusal(503, "0")], { attempts: 3 });
  const { status, code, retryAfter } = await failed(often.leadgate.members.list());
  assert.deepEqual([status, code, retryAfter], [503, "limited", 0]);
  assert.equal(often.sent.length, 3);
  const long = clientWith([refusal(429, "3600")]);
  assert.equal((await failed(long.leadgate.members.list())).retryAfter, 3_600);
  assert.equal(long.sent.length, 1);
});

test("a call ends when its time is over, and when its signal aborts, also while it waits", async () => {
  const late = clientWith(["never arrives"], { attempts: 1, timeout: 20 });
  const { status, code } = await failed(late.leadgate.members.list());
  assert.deepEqual([status, code], [0, "timeout"]);

  for (const fate of ["never arrives", refusal(429, "30")] as const) {
    const stop = new AbortController();
    const call = clientWith([fate]).leadgate.members.list({ signal: stop.signal });
    setTimeout(() => stop.abort(new Error("stopped")), 50);
    await assert.rejects(call, /^Error: stopped$/);
  }
  await assert.rejects(clientWith([]).leadgate.members.list({ signal: AbortSignal.abort() }), {
    name: "AbortError",
  });
});

test("an error has the status, the code, the details and the request id, in both generations of the API", async () => {
  const { leadgate } = clientWith([]);
  const wrong = { field: "colour", op: "eq", value: "red" } as unknown as { view: string };
  const error = await failed(leadgate.leads.search({ filter: wrong }));
  assert.deepEqual(
    [error.status, error.code, error.details[0]?.path],
    [400, "unknown_field", "$.filter.field"],
  );
  assert.match(error.requestId ?? "", /^req_/);
  const missing = await failed(leadgate.current.leads.get("lead_00000000000000000000000000"));
  assert.deepEqual([missing.status, missing.code, missing.details], [404, "not_found", []]);
  assert.ok(missing.message.length > 0);
  const foreign = clientWith([new Response("<h1>Bad gateway</h1>", { status: 502 })]);
  const proxy = await failed(foreign.leadgate.members.list());
  const portal = clientWith([new Response("<h1>Sign in</h1>")]);
  const { status, code } = await failed(portal.leadgate.members.list());
  assert.deepEqual([status, code, portal.sent.length], [200, "not_json", 1]);
  assert.deepEqual([proxy.status, proxy.code, proxy.requestId], [502, "status_502", null]);
});

test("a list is read over all of its pages, by items and by pages", async () => {
  const { leadgate, sent } = clientWith([]);
  const tags = ["paged"];
  for (let i = 0; i < 5; i += 1) await leadgate.leads.create({ name: `Paged ${i}`, score: i, tags });
  sent.length = 0;
  const query = {
    filter: { field: "tags", op: "has_any", value: tags },
    sort: [{ field: "score" }],
    fields: ["score"],
    limit: 2,
  } as const;
  const scores: (number | null)[] = [];
  for await (const { score } of leadgate.leads.searchAll({ ...query, sort: [...query.sort] }))
    scores.push(score);
  assert.deepEqual(scores, [0, 1, 2, 3, 4]);
  assert.equal(sent.length, 3);
  const sizes: number[] = [];
  for await (const { leads } of leadgate.leads.searchAll({ ...query, sort: [...query.sort] }).pages())
    sizes.push(leads.length);
  assert.deepEqual(sizes, [2, 2, 1]);
  const events: string[] = [];
  const [first] = (await leadgate.leads.search({ limit: 1 })).data.leads;
  for await (const { type } of leadgate.leads.events.listAll(first?.id ?? "", { limit: 1 }))
    events.push(type);
  assert.ok(events.includes("lead.created"));
});

test("a change with the ETag of an earlier version is refused", async () => {
  const { leadgate } = clientWith([]);
  const { data, etag } = await leadgate.leads.create({ name: "Ivo" });
  assert.equal(etag, '"1"');
  await leadgate.leads.update(data.id, { score: 5 }, { ifMatch: etag ?? "" });
  assert.equal((await failed(leadgate.leads.update(data.id, { score: 6 }, { ifMatch: '"1"' }))).status, 412);
  assert.equal((await leadgate.leads.delete(data.id)).data, undefined);
});

test("a file is sent as it is, and read as a stream", async () => {
  const { leadgate } = clientWith([]);
  await leadgate.leads.create({ external_id: "file-1" });
  const { data: uploaded } = await leadgate.imports.upload("Name,E-mail\nGil,gil@example.org\n", {
    file_name: "one.csv",
  });
  assert.equal(uploaded.file.name, "one.csv");
  const { data: file } = await leadgate.current.leads.export({
    project_id: the.project.id,
    format: "csv",
    columns: ["external_id"],
    filter: { field: "external_id", op: "eq", value: "file-1" },
  });
  assert.equal(await new Response(file).text(), "external_id\nfile-1\n");
});

test("the feed is followed from a saved cursor, and a page that was not handled comes again", async () => {
  const { id } = await the.newProject(the.person, "feed");
  const { text, id: own } = await the.key(["leads:read", "leads:write"], id);
  const leadgate = new Leadgate({ baseUrl: the.baseUrl, key: text });
  const other = new Leadgate({ baseUrl: the.baseUrl, key: (await the.key(["leads:write"], id)).text });
  for (const name of ["a", "b", "c"]) await leadgate.leads.create({ name });
  await other.leads.create({ name: "d" });

  let cursor: string | undefined;
  let saves = 0;
  const save = (next: string) => {
    cursor = next;
    saves += 1;
  };
  const read = async (options: object = {}) => {
    const events: Event[] = [];
    for await (const event of leadgate.followEvents({ cursor, save, wait: false, ...options }))
      events.push(event);
    return events;
  };
  for await (const _ of leadgate.followEvents({ save, wait: false })) break;
  assert.equal(cursor, undefined);
  assert.equal((await read({ limit: 2 })).length, 4);
  assert.equal(saves, 2);
  assert.deepEqual(await read(), []);
  cursor = undefined;
  assert.equal((await read({ ignore: own })).length, 1);

  const stop = new AbortController();
  const waiting = leadgate.followEvents({ cursor, save, wait: 20, signal: stop.signal });
  const next = waiting.next();
  await other.leads.create({ name: "e" });
  assert.equal((await next).value?.type, "lead.created");
  const more = waiting.next();
  stop.abort(new Error("enough"));
  await assert.rejects(more, /enough/);
});

test("after a restored backup the feed is followed from its start", async () => {
  await using restored = await world();
  const { text } = await restored.key(["leads:read", "leads:write"]);
  const leadgate = new Leadgate({ baseUrl: restored.baseUrl, key: text });
  await leadgate.leads.create({ name: "a" });
  const cursors: string[] = [];
  const save = (cursor: string) => void cursors.push(cursor);
  for await (const _ of leadgate.followEvents({ save, wait: false }));
  await endEverything(restored.service);
  const seen: string[] = [];
  const restarted = () => void seen.push("restarted");
  for await (const { type } of leadgate.followEvents({ cursor: cursors[0], save, wait: false, restarted }))
    seen.push(type);
  assert.deepEqual(seen, ["restarted", "lead.created"]);
  assert.notEqual(cursors[1], cursors[0]);
});
