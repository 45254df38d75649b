import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { lacks } from "../programs.ts";
import { type KeyActor, world } from "../world.ts";
import { makesOneLead, syncsTwice } from "./support/docs-programs.ts";

const the = await world();
const page = await readFile("docs/leads-api.md", "utf8");
let folder = "";
let key: KeyActor;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadgate-leads-page-"));
  key = await the.key(["leads:read", "leads:write"]);
});
after(async () => {
  await the[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the page's code blocks in one language, with the URLs of this run. */
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(([, block = ""]) =>
    block.replaceAll("http://localhost:3001", the.baseUrl).replaceAll("prj_of_your_key", the.project.id),
  );

const run = (command: string, ...words: string[]): Promise<string> => runAs(key, command, ...words);

async function runAs(by: KeyActor, command: string, ...words: string[]): Promise<string> {
  const env = { ...process.env, LEADGATE_KEY: by.text };
  return (await promisify(execFile)(command, words, { cwd: folder, env })).stdout;
}

async function program(name: string, ...words: string[]): Promise<string[]> {
  const file = `${name}.mjs`;
  const text = blocks("js").find((block) => block.startsWith(`// ${file}:`)) ?? "";
  await writeFile(join(folder, file), text);
  return (await run(process.execPath, file, ...words)).trim().split("\n");
}

test("the curl lines of the page bring a lead in, follow it, move it on, count it and take it out", {
  skip: lacks("bash", "curl"),
}, async () => {
  const out = await run("bash", "-c", `set -euo pipefail\n${blocks("sh").join("\n")}`);
  assert.match(out, /"external_id":"crm-17"/);
  assert.match(out, /"has_more":false/);
  assert.match(out, /"type":"form.sent"/);
  assert.match(out, /"status":"contacted"/);
  assert.match(out, /"sum_value" ?: ?1200/);
  assert.match(out, /"relation":"eq"/);
  assert.match(out, /"state":"undone"[^\n]*"created":2[^\n]*"deleted" ?: ?2/);
  assert.match(out, /form-1,Caio Prado,caio@example\.org/);
});

test("a form with leads:create runs its lines as they are written, again and again, and makes one lead and one event", {
  skip: lacks("bash", "curl"),
}, async () => {
  const form = await the.key(["leads:create"]);
  const [setup = ""] = blocks("sh");
  const lines = `set -euo pipefail\n${setup}\n${blocks("sh form").join("\n")}`;
  const accepted = '{"accepted":true}';
  for (let n = 0; n < 2; n += 1)
    assert.equal(await runAs(form, "bash", "-c", lines), accepted.repeat(2), "the same answers");
  const filter = { field: "email", op: "eq", value: "eva@example.org" };
  const found = await key.send("POST", "/api/v1/leads/search", { filter });
  const { leads } = (await found.json()) as { leads: { id: string; external_id: string }[] };
  assert.deepEqual(
    leads.map(({ external_id: id }) => id),
    ["web-1"],
  );
  const timeline = await key.send("GET", `/api/v1/leads/${leads[0]?.id}/events?types=form.sent`);
  assert.equal(((await timeline.json()) as { events: object[] }).events.length, 1);
});

test("the page's CRM goes on where it stopped, and sending its contacts again changes nothing", async () => {
  await syncsTwice(program);
});

test("the page's automation makes one lead and one event, however often it runs", async () => {
  await makesOneLead(program);
  const [counted] = await the.sql<{ leads: number; events: number }>(
    `SELECT (SELECT count(*)::int FROM store.lead WHERE external_id = 'form-9') AS leads,
       (SELECT count(*)::int FROM store.event WHERE external_id = 'form-9') AS events`,
  );
  assert.deepEqual(counted, { leads: 1, events: 1 });
});

test("the page's dashboard shows figures", async () => {
  assert.equal((await key.send("POST", "/api/v1/leads", { name: "Ana" })).status, 201);
  const lines = await program("dashboard");
  assert.ok(lines.some((line) => /^(new|contacted) \d+ /.test(line)));
  assert.match(lines.at(-1) ?? "", /^last 7 days: \d+$/);
});

test("every filter on the page is valid, and every URL on it exists", async () => {
  for (const block of blocks("json")) {
    const answer = await key.send("POST", "/api/v1/leads/filters/validate", { filter: JSON.parse(block) });
    const { valid, errors } = (await answer.json()) as { valid: boolean; errors: unknown };
    assert.ok(valid, JSON.stringify(errors));
  }
  const { paths } = (await (await fetch(`${the.baseUrl}/openapi.json`)).json()) as { paths: object };
  const known = Object.keys(paths).map((path) => new RegExp(`^${path.replace(/\{\w+\}/g, "[^/]+")}$`));
  for (const [, path = ""] of page.matchAll(/(\/api\/(?:v1\/)?[a-z][\w/${}.-]*[\w/}])/g))
    assert.ok(path === "/api/v1" || known.some((form) => form.test(path)), `${path} is not an endpoint`);
});
