import assert from "node:assert/strict";
import { test } from "node:test";
import { world } from "../world.ts";
import { Assistant, addLead, answerOf, type ToolResult } from "./support/assistant.ts";

type Failure = { what: string; why: string; next_step: string; request_id: string };
const failureOf = (result: ToolResult) => JSON.parse(result.content[0]?.text ?? "") as Failure;

test("query_leads finds by groups of conditions and leaves out what is empty", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const won = await addLead(the, { name: "Nadia Brandt", status: "won" });
  await addLead(the, { name: "Tom Okafor", status: "lost" });
  const filter = { any: [{ all: [{ field: "status", op: "eq", value: "won" }] }] };
  const { structuredContent: page } = await assistant.call("query_leads", { filter });
  const leads = page.leads as Record<string, unknown>[];
  assert.deepEqual(
    leads.map(({ id }) => id),
    [won],
  );
  assert.ok(!Object.values(leads[0] ?? {}).includes(null));
  assert.deepEqual(
    { count: page.count, more: page.has_more, untrusted: page.untrusted_content },
    {
      count: 1,
      more: false,
      untrusted: ["leads"],
    },
  );
});

test("an answer stops at about 60 KB and leads to the rest", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  for (let n = 0; n < 12; n += 1)
    await addLead(the, { name: `Lead ${n}`, custom: { note: "ü".repeat(5_000) } });
  const seen = new Set<string>();
  let offset: number | undefined = 0;
  let pages = 0;
  while (offset !== undefined && pages < 20) {
    const result: ToolResult = await assistant.call("query_leads", { limit: 100, offset });
    assert.ok(Buffer.byteLength(result.content[0]?.text ?? "") < 61_000);
    for (const lead of result.structuredContent.leads as { id: string }[]) seen.add(lead.id);
    offset = result.structuredContent.next_offset as number | undefined;
    if (pages === 0) assert.equal(result.structuredContent.truncated, true);
    pages += 1;
  }
  assert.equal(seen.size, 12);
  assert.ok(pages > 1);
});

test("one enormous lead is cut, not refused", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const id = await addLead(the, { name: "Big", landing_page: "x".repeat(90_000) });
  const { structuredContent, content } = await assistant.call("get_lead", { id });
  assert.equal(structuredContent.truncated, true);
  assert.ok(Buffer.byteLength(content[0]?.text ?? "") < 61_000);
  assert.equal((structuredContent.lead as { name: string }).name, "Big");
});

test("text from outside loses its hidden characters", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const id = await addLead(the, { name: "A\u202eb\u0007c\u{E0041}d\u061ce", company: "Zürich 東京 👩‍🚀" });
  const { structuredContent } = await assistant.call("get_lead", { id });
  const { name, company } = structuredContent.lead as Record<string, string>;
  assert.deepEqual({ name, company }, { name: "Abcde", company: "Zürich 東京 👩‍🚀" });
});

test("a tool error reports what, why, what next and the request's id, and names the path in the caller's own terms", async () => {
  await using the = await world();
  const assistant = await Assistant.authorized(the);
  const unknownField = { any: [{ all: [{ field: "nope", op: "eq", value: 1 }] }] };
  const equals = { any: [{ all: [{ field: "status", op: "=", value: "new" }] }] };
  const wrong: [string, object, RegExp][] = [
    ["query_leads", { limit: 5_000 }, /\$\.limit/],
    ["query_leads", { fliter: {} }, /\$\.fliter/],
    ["query_leads", { filter: unknownField }, /\$\.filter\.any\[0\]\.all\[0\]/],
    [
      "query_leads",
      { sort: [{ field: "name", dir: "descending" }] },
      /\$\.sort\[0\]\.dir must be one of asc, desc/,
    ],
    ["query_leads", { filter: equals }, /\$\.filter\.any\[0\]\.all\[0\]\.op must be one of .*\beq\b/],
    ["export_leads", { format: "xlsx" }, /\$\.format must be one of csv, ndjson, json/],
    ["get_lead", {}, /\$\.id/],
    ["get_lead", { id: "lead_00000000000000000000000000" }, /[Nn]o such lead/],
  ];
  for (const [name, args, why] of wrong) {
    const answer = await assistant.ask("tools/call", { name, arguments: args });
    const { result } = await answerOf(answer);
    assert.equal(result.isError, true);
    const failure = failureOf(result as unknown as ToolResult);
    assert.match(failure.why, why);
    assert.equal(failure.request_id, answer.headers.get("x-request-id"));
    assert.ok(failure.what !== "" && failure.next_step !== "");
  }
});

test("an assistant never sees another project's lead", async () => {
  await using the = await world();
  const elsewhere = await the.newProject(the.person, "Elsewhere");
  const id = await addLead(the, { project_id: elsewhere.id, name: "Hidden" });
  const assistant = await Assistant.authorized(the);
  assert.equal((await assistant.call("get_lead", { id })).isError, true);
  assert.equal((await assistant.call("query_leads")).structuredContent.count, 0);
});

test("an unexpected error reveals no internals", async () => {
  await using the = await world({ alone: true });
  const assistant = await Assistant.authorized(the);
  const id = await addLead(the);
  // One PostgreSQL reads the view, a cluster the table.
  await the.sql("ALTER VIEW leadgate.lead RENAME TO hidden");
  await the.sql("ALTER TABLE store.lead RENAME TO hidden");
  const result = await assistant.call("get_lead", { id });
  assert.equal(result.isError, true);
  assert.doesNotMatch(result.content[0]?.text ?? "", /relation|exist|store|leadgate/i);
  assert.match(failureOf(result).next_step, /request_id/);
});
