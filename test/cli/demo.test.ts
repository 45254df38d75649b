import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { CONTACTS } from "../../src/cli/demo/contacts-file.ts";
import { type Demo, prepareDemo } from "../../src/cli/demo/demo-data.ts";
import { wordsOf } from "../../src/cli/demo.ts";
import { type World, world } from "../world.ts";

const some = async (count: number) => {
  const [head = "", ...lines] = (await readFile(CONTACTS, "utf8")).trimEnd().split("\n");
  // the end of the campaign, so that the first screens have something of every kind
  return [head, ...lines.slice(-count)].join("\n");
};

const folder = async () => {
  const path = await mkdtemp(join(tmpdir(), "leadgate-demo-"));
  return { path, [Symbol.asyncDispose]: async () => await rm(path, { recursive: true, force: true }) };
};

const counts = async (the: World, projectId: string) => {
  const [row] = await the.sql<Record<string, unknown>>(
    `SELECT count(*)::int AS leads, max(last_activity_at)::date::text AS last, max(last_activity_at) < now() AS past,
       count(*) FILTER (WHERE owner_id IS NULL OR value IS NULL OR campaign IS NULL OR source IS NULL)::int AS blank,
       (SELECT count(*)::int FROM store.event e WHERE e.project_id = $1 AND type = 'call.made') AS calls,
       (SELECT count(*)::int FROM store.saved_view v WHERE v.project_id = $1) AS views,
       (SELECT count(*)::int FROM membership m WHERE m.project_id = $1) AS members
     FROM store.lead WHERE project_id = $1`,
    [projectId],
  );
  return { ...row };
};

test("the demo's last call was yesterday, its leads have owners, values and campaigns, and its output says what was made up", async () => {
  await using the = await world();
  await using at = await folder();
  const dayBefore = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const early = dayBefore();
  const demo = await prepareDemo(the.service, at.path, () => some(400));
  // a day may end meanwhile
  const yesterday = demo.lastCall ?? "";
  assert.ok([early, dayBefore()].includes(yesterday), yesterday);
  const first = await counts(the, demo.projectId);
  assert.deepEqual(
    { ...first, calls: undefined },
    { leads: 400, last: yesterday, past: true, blank: 0, calls: undefined, views: 3, members: 4 },
  );
  const words = wordsOf(the.config, demo);
  assert.match(words, new RegExp(`dates are shifted: the last call was on ${yesterday}`));
  assert.match(words, /Added, because the data has none: owners, campaigns, values/);
  assert.ok(words.includes("The next run continues with the same data and dates."), words);
  assert.ok(words.includes(`last call was yesterday again, delete ${the.config.dataDir} first`), words);
  const again = await prepareDemo(the.service, at.path, () => Promise.reject(new Error("read again")));
  assert.deepEqual(again, demo);
  assert.deepEqual(await counts(the, demo.projectId), first);
});

test("each saved view of the demo finds leads and has no blank column", async () => {
  await using the = await world();
  await using at = await folder();
  const { projectId } = await prepareDemo(the.service, at.path, () => some(400));
  const key = await the.key(["leads:read"], projectId);
  const { views } = (await (await key.send("GET", "/api/v1/views")).json()) as {
    views: { id: string; name: string; query: { fields: string[] } }[];
  };
  for (const { id, name, query } of views) {
    const found = await key.send("POST", "/api/v1/leads/search", { filter: { view: id }, limit: 100 });
    const { leads } = (await found.json()) as { leads: Record<string, unknown>[] };
    assert.ok(leads.length > 5, name);
    for (const field of query.fields) {
      const [column, own = ""] = field.split(".");
      const filled = leads.filter((lead) => {
        const value = lead[column ?? ""];
        return (own === "" ? value : (value as Record<string, unknown>)[own]) != null;
      });
      assert.ok(filled.length > leads.length / 2, `${name}: ${field}`);
    }
  }
});

test("a demo that was stopped goes on with the days it began with, days later as well, and doubles nothing", async () => {
  await using the = await world();
  await using at = await folder();
  const stopped = prepareDemo(the.service, at.path, () => Promise.reject(new Error("stopped")));
  await assert.rejects(stopped, /stopped/);
  const path = join(at.path, "demo.json");
  // as if it had begun ten days ago
  const begun = JSON.parse(await readFile(path, "utf8")) as Demo;
  await writeFile(path, JSON.stringify({ ...begun, lastCall: "2026-01-15" }));
  const demo = await prepareDemo(the.service, at.path, () => some(300));
  const first = await counts(the, demo.projectId);
  assert.deepEqual([first.leads, first.last, demo.key], [300, "2026-01-15", begun.key]);
  // stopped again, after the leads were stored and before that was noted
  await writeFile(path, JSON.stringify({ ...demo, imported: false }));
  assert.deepEqual(await prepareDemo(the.service, at.path, () => some(300)), demo);
  assert.deepEqual(await counts(the, demo.projectId), first);
});

test("a demo of an earlier version keeps its data and does not claim that its dates were shifted", async () => {
  await using the = await world();
  await using at = await folder();
  const old = {
    email: "demo@leadgate.example",
    password: "x",
    projectId: "prj_x",
    key: "lgk_x",
    imported: true,
  };
  await writeFile(join(at.path, "demo.json"), JSON.stringify(old));
  const demo = await prepareDemo(the.service, at.path, () => Promise.reject(new Error("read")));
  assert.doesNotMatch(wordsOf(the.config, demo), /shifted|Added/);
  assert.match(wordsOf(the.config, demo), /delete .* first/);
});
