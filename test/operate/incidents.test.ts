import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { large } from "../large.ts";
import { type Line, logging } from "../observe/support/logging.ts";
import { lacks } from "../programs.ts";
import { type Block, blocksOf } from "./support/blocks.ts";

const PAGE = readFileSync("docs/operate/incidents.md", "utf8");

/** The name of a heading in a URL, as GitHub makes it. */
const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, "")
    .replaceAll(" ", "-");

test("every alert has its section in the page about incidents, and so has each of its links", () => {
  const anchors = new Set([...PAGE.matchAll(/^#+ (.+)$/gm)].map(([, title = ""]) => anchorOf(title)));
  const alerts = readFileSync("deploy/observe/alerts.yml", "utf8");
  const asked = [
    ...[...alerts.matchAll(/incidents\.md#(\S+)/g)].map(([, anchor]) => anchor),
    ...[...PAGE.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor),
  ];
  assert.ok(asked.length > 40);
  assert.deepEqual(
    asked.filter((anchor) => !anchors.has(anchor ?? "")),
    [],
  );
});

/** A line without what varies from run to run and between machines: numbers, ids, and how the slow ones ended. */
const shapeOf = (line: string): string =>
  line
    .trim()
    .replace(/\b(prj|key)_\w+/g, "$1_ID")
    .replace(/"lane":"\w+"/, '"lane":"NAME"')
    .replace(/"(too_\w+|database_busy)"/, '"CODE"')
    .replace(/"fingerprint":"\w+"/, '"fingerprint":"ID"')
    .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, "TIME")
    .replace(/\d+(\.\d+)?/g, "N");

/** The commands of the page, each with the output that the page shows. */
function commandsOf(
  blocks: readonly Block[],
): { command: string; title: string; shown: string | undefined }[] {
  return blocks.flatMap(({ language, text, title }, at) => {
    if (language !== "sh") return [];
    const next = blocks[at + 1];
    return [{ command: text, title, shown: next?.language === "text" ? next.text : undefined }];
  });
}

large(
  "a slow night is explained by the commands of the page, and every other command of it works",
  {
    skip: lacks("bash", "jq", "psql", "curl"),
  },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "leadgate-incidents-"));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    await using log = await logging({
      TIME_LIMITS: JSON.stringify({ fast: 0.1, query: 3, wait: 3 }),
      SLOW_LOG_MS: "300",
    });
    const { the } = log;
    await the.sql(
      `INSERT INTO store.lead (project_id, id, name, company)
     SELECT $1, 'lead_' || lpad(to_hex(i), 26, '0'), repeat(md5(i::text), 6), repeat(md5(i::text), 3)
     FROM generate_series(1, 20000) i`,
      [the.project.id],
    );
    const loud = await log.key();
    const other = await the.newProject(await the.newPerson("Bo"));
    const quiet = await log.key(["leads:read"], other.id);
    for (const key of [loud, quiet]) await (await key.send("GET", "/api/v1/statuses")).text();
    const filter = (seed: number) => ({
      or: Array.from({ length: 60 }, (_, i) => ({
        field: i % 2 === 0 ? "company" : "name",
        op: "contains",
        value: `${(seed * 97 + i * 31) % 99}#`,
      })),
    });
    const ask = async (n: number) => {
      const answer = await loud.send("POST", "/api/v1/leads/count", { filter: filter(n), exact: true });
      await (await quiet.send("POST", "/api/v1/leads/search", { limit: 5 })).text();
      return answer;
    };
    const answers = await Promise.all(Array.from({ length: 24 }, (_, n) => ask(n)));
    const made = await loud.send("POST", "/api/v1/exports", { format: "csv" });
    await log.line(({ msg }) => msg === "ran");
    for (const answer of [...answers, made]) await log.lineOf(answer);
    writeFileSync(join(folder, "night.log"), log.text());
    const outputs = new Map<string, string>();
    for (const { command, title, shown } of commandsOf(blocksOf("incidents.md"))) {
      const url = command.replace("http://localhost:3000", the.authUrl);
      const ran = spawnSync("bash", ["--norc", "-o", "pipefail", "-c", url], {
        cwd: folder,
        encoding: "utf8",
        env: { PATH: process.env.PATH, DATABASE_URL: the.databaseUrl, ID: loud.id, PAGER: "cat" },
      });
      assert.equal(ran.status, 0, `${title}: ${ran.stderr}`);
      assert.equal(ran.stderr, "", title);
      t.diagnostic(`${title}\n${ran.stdout}`);
      outputs.set(`${title} ${outputs.size}`, ran.stdout);
      if (shown === undefined) continue;
      const known = new Set(shown.trim().split("\n").map(shapeOf));
      assert.ok(known.has(shapeOf(ran.stdout.split("\n", 1)[0] ?? "")), `${title}: ${ran.stdout}`);
    }
    const [warnings, begin, parts, who, what, sql, refused] = [...outputs.values()];
    assert.match(warnings ?? "", /\d slow$/m);
    assert.match(begin ?? "", /^ *\d+ \d{4}-/);
    const sums = JSON.parse(parts ?? "") as Line;
    assert.ok(Number(sums.database_ms) + Number(sums.wait_ms) > Number(sums.ms) / 2, parts);
    assert.equal((JSON.parse(who?.split("\n", 1)[0] ?? "") as Line).project, the.project.id);
    assert.match(what ?? "", /"filter":"company contains … or name contains …/);
    assert.match(sql ?? "", /"sql":"SELECT count/);
    assert.ok(!(refused ?? "").includes(other.id), `the other project was not refused: ${refused}`);
  },
);
