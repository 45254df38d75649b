import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { CALLS } from "../api/support/endpoint-calls.ts";
import { FULL, filled } from "../api/support/two-projects.ts";
import { Assistant, addLead } from "../mcp/support/assistant.ts";
import { LISTED, TOOL_USES } from "../mcp/support/every-use.ts";
import { ground } from "../mcp/support/ground.ts";
import { Caller, when } from "../mcp/support/using.ts";
import { Application, exchange, post, register, tokensOf } from "../oauth/support/application.ts";
import { type World, world } from "../world.ts";
import { QUIET, roundTrips, settled } from "./count.ts";

/*
 * Measures what every request costs, and holds docs/round-trips.md against it.
 * `UPDATE_DOCS=1 npm test -- test/round-trips/round-trips.test.ts` writes the page again.
 */
const PAGE = "docs/round-trips.md";
const update = process.env.UPDATE_DOCS === "1";

type Row = readonly [request: string, trips: number];

let page: string;
before(async () => {
  page = await readFile(PAGE, "utf8");
});

const start = (name: string) => `<!-- ${name}: measured -->\n`;
const END = "<!-- end -->";

/** Asserts that the page's table of this name has these rows; rewrites it if an update was requested. */
async function documented(name: string, rows: readonly Row[]): Promise<void> {
  const table = [
    "| request | round trips |",
    "|---|---|",
    ...rows.map(([what, n]) => `| ${what} | ${n} |`),
    "",
  ];
  const text = table.join("\n");
  const from = page.indexOf(start(name)) + start(name).length;
  const until = page.indexOf(END, from);
  assert.ok(from >= start(name).length && until > 0, `${PAGE} has no table ${name}`);
  if (!update) return assert.equal(page.slice(from, until), text);
  page = page.slice(0, from) + text + page.slice(until);
  await writeFile(PAGE, page);
}

/** Waits until there are no jobs left: workers share the watched connections. */
async function idle(the: World): Promise<void> {
  const left = () =>
    the.sql("SELECT FROM store.job WHERE project_id = $1 AND state IN ('waiting', 'running')", [
      the.project.id,
    ]);
  while ((await left()).length > 0) await sleep(20);
  await sleep(20);
}

/** Requests that stream, start jobs or work in batches: what they cost depends on the data and on the moment. */
const GOES_ON =
  /\/stream$|^export_leads$|imports?\b|exports?\b|^DELETE \/api\/v1\/(fields|datasets)\/\{\w+\}$/;

test("endpoints under an API key cost the round trips that the documents say", async () => {
  await using the = await world(QUIET);
  const { ids, key } = await filled(the, "alder");
  await key.query({});
  await settled(the, ids.project);
  await idle(the);
  const during = roundTrips(the);
  const rows: Row[] = [];
  // Deletions come last, so that all other calls find their objects.
  const calls = Object.entries(CALLS)
    .filter(([name]) => !(name.endsWith("/") && name.slice(0, -1) in CALLS) && !GOES_ON.test(name))
    .toSorted(([a], [b]) => rank(a) - rank(b));
  for (const [name, call] of calls) {
    const method = name.split(" ")[0] ?? "";
    const ask = () =>
      call.file === undefined
        ? key.send(method, call.path(ids), call.body?.(ids))
        : fetch(`${the.baseUrl}${call.path(ids)}`, {
            method,
            headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "text/csv" },
            body: call.file,
          });
    const [status, trips] = await during(ask);
    if (status < 300) rows.push([`\`${name}\``, trips]);
    await idle(the);
  }
  await documented("API", rows);
});

const rank = (name: string): number => (name.startsWith("DELETE") ? 2 : name.includes("merge") ? 1 : 0);

test("what applications ask of the authorization server costs the round trips that the documents say", async () => {
  await using the = await world(QUIET);
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const tokens = await app.tokens(browser);
  const granted = await app.code(browser);
  const during = roundTrips(the);
  const rows: Row[] = [];
  const measure = async (what: string, expected: number, ask: () => Promise<Response>): Promise<void> => {
    const [status, trips] = await during(ask);
    assert.equal(status, expected, what);
    rows.push([what, trips]);
  };
  const metadata = { redirect_uris: ["https://app.example/cb"] };
  await measure("registration", 201, () => register(the, metadata));
  await measure("a refused registration", 400, () => register(the, { redirect_uris: [] }));
  await measure("exchange of a code", 200, () => exchange(the, granted));
  await measure("introspection of an access token", 200, () =>
    post(the, "/api/oauth/introspect", { token: tokens.access }),
  );
  await measure("introspection of a refresh token", 200, () =>
    post(the, "/api/oauth/introspect", { token: tokens.refresh }),
  );
  let newest = tokens.refresh;
  for (const what of ["refresh", "a second refresh", "a third refresh"])
    await measure(what, 200, async () => {
      const answer = await app.refresh(newest);
      newest = (await tokensOf(answer.clone())).refresh;
      return answer;
    });
  await documented("OAuth", rows);
});

test("tools cost the round trips that the documents say", async () => {
  await using the = await world(QUIET);
  const { assistant } = await Caller.in(the);
  const id = await addLead(the, { name: "Nadia", email: "nadia@example.org" });
  await addLead(the, { name: "N.", email: "nadia@example.org" });
  const key = await the.key(FULL);
  await key.send("POST", "/api/v1/fields", { key: "plan", label: "Plan", type: "text" });
  await key.send("POST", "/api/v1/datasets", {
    key: "notes",
    columns: [{ key: "code", type: "text", required: true, unique: true }],
    key_column: "code",
  });
  const lead = { email: "b@example.org" };
  const bulk = { search: "nadia", action: "set", set: { score: 1 } };
  const calls: [tool: string, args: object, how?: string][] = [
    ["get_context", {}],
    ["query_leads", { filter: when("name", "eq", "Nadia") }],
    ["query_leads", { filter: when("custom.plan", "is_empty") }, "by a custom field"],
    ["query_leads", { filter: when("event.call.made", "is_empty") }, "by an event"],
    ["get_lead", { id }],
    ["get_lead_timeline", { id }],
    ["summarize_leads", {}],
    ["find_duplicates", { id }, "of one lead"],
    ["find_duplicates", {}, "of all"],
    ["list_datasets", {}],
    ["read_dataset", { dataset: "notes" }],
    ["search", { query: "nadia" }],
    ["fetch", { id }],
    ["create_lead", { lead, on_duplicate: "return" }, "a new lead"],
    ["create_lead", { lead, on_duplicate: "update" }, "a known lead"],
    ["update_lead", { id, set: { score: 2 } }],
    ["add_lead_event", { id, type: "note.added" }],
    ["bulk_update_leads", bulk, "dry run"],
    ["bulk_update_leads", { ...bulk, dry_run: false, expected_count: 2 }],
    ["write_dataset", { dataset: "notes", mode: "upsert", rows: [{ code: "a" }] }],
    ["delete_lead", { id, confirm: true }],
  ];
  await assistant.call("query_leads");
  await settled(the, the.project.id);
  const during = roundTrips(the);
  const rows: Row[] = [];
  for (const [name, args, how] of calls) {
    const [status, trips] = await during(() => assistant.ask("tools/call", { name, arguments: args }));
    assert.equal(status, 200);
    rows.push([`\`${name}\`${how === undefined ? "" : `, ${how}`}`, trips]);
  }
  rows.push(...(await restOfTools(new Set(calls.map(([name]) => name)))));
  await documented("MCP tools", rows);
});

/** Measures the tools without a call above, as tests of every tool use them. */
async function restOfTools(measured: ReadonlySet<string>): Promise<Row[]> {
  await using the = await world(QUIET);
  const on = await ground(the);
  await the.join(the.person, on.ids.project, "owner");
  const assistant = await Assistant.authorized(the, { projectId: on.ids.project });
  await assistant.call("query_leads");
  await settled(the, on.ids.project);
  const during = roundTrips(the);
  const rows: Row[] = [];
  for (const name of LISTED.filter((each) => each in TOOL_USES && !measured.has(each))) {
    const call = { name, arguments: TOOL_USES[name]?.(on) };
    const [status, trips] = await during(() => assistant.ask("tools/call", call));
    assert.equal(status, 200, name);
    if (!GOES_ON.test(name)) rows.push([`\`${name}\``, trips]);
    await idle(the);
  }
  return rows;
}

test("resources, prompts and completions cost the round trips that the documents say", async () => {
  await using the = await world(QUIET);
  const { ids } = await filled(the, "alder");
  await the.join(the.person, ids.project, "owner");
  const assistant = await Assistant.authorized(the, { projectId: ids.project });
  const read = (uri: string): Ask => ["resources/read", { uri }, { "Mcp-Name": uri }];
  const prompt = (name: string, args: object): Ask => ["prompts/get", { name, arguments: args }];
  const complete = (ref: object, name: string): Ask => [
    "completion/complete",
    { ref, argument: { name, value: "" } },
  ];
  const asked: [what: string, ask: Ask][] = [
    ["`leads://project`", read("leads://project")],
    ["`leads://schema`", read("leads://schema")],
    ["`leads://filters`", read("leads://filters")],
    ["`leads://limits`", read("leads://limits")],
    ["`leads://filters/{view_id}`", read(`leads://filters/${ids.view}`)],
    ["`leads://leads/{lead_id}`", read(`leads://leads/${ids.lead}`)],
    ["`leads://leads/{lead_id}/timeline`", read(`leads://leads/${ids.lead}/timeline`)],
    ["`leads://datasets/{dataset_id}`", read(`leads://datasets/${ids.dataset}`)],
    ["`leads://exports/{export_id}`", read(`leads://exports/${ids.export}`)],
    ["prompt `qualify_lead`", prompt("qualify_lead", { lead_id: ids.lead })],
    ["prompt `pipeline_review`", prompt("pipeline_review", {})],
    [
      "completion of a lead's id",
      complete({ type: "ref/resource", uri: "leads://leads/{lead_id}" }, "lead_id"),
    ],
    ["completion for `qualify_lead`", complete({ type: "ref/prompt", name: "qualify_lead" }, "lead_id")],
    ["completion for `daily_brief`", complete({ type: "ref/prompt", name: "daily_brief" }, "days")],
  ];
  for (const [, ask] of asked) await assistant.ask(...ask);
  await settled(the, ids.project);
  const during = roundTrips(the);
  const rows: Row[] = [];
  for (const [what, ask] of asked) {
    const [status, trips] = await during(() => assistant.ask(...ask));
    assert.equal(status, 200);
    rows.push([what, trips]);
  }
  await documented("MCP resources, prompts, completions", rows);
});

type Ask = Parameters<Assistant["ask"]>;
