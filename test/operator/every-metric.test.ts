import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { SECRET, served } from "../backups/support/served.ts";
import { instance } from "../instance.ts";
import { large } from "../large.ts";
import { freePort, world } from "../world.ts";
import { namesIn, scrape, scrapeAbove } from "./support/scrape.ts";

const [page, alerts, dashboard] = [
  "docs/operate/observe.md",
  "deploy/observe/alerts.yml",
  "deploy/observe/dashboard.json",
].map((path) => readFileSync(path, "utf8")) as [string, string, string];

/** Nothing answers there, which is shown. */
const NO_REDIS = "redis://127.0.0.1:1";

/** Returns the names of all series that a scrape may have. */
const seriesNames = (text: string): string[] =>
  [...text.matchAll(/^# TYPE (\w+) (\w+)/gm)].flatMap(([, name = "", type]) =>
    type === "histogram" ? ["_bucket", "_count", "_sum"].map((end) => name + end) : [name],
  );

large(
  "the table of metrics lists all that instances of every role show, and the dashboard and the alerts use no others",
  async (t) => {
    const embedded = await served(t);
    const collector = `http://127.0.0.1:${await freePort()}`;
    await embedded.start({
      BACKUP_PASSPHRASE: SECRET,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector,
      REDIS_URL: NO_REDIS,
    });
    await using the = await world({ env: { ROLE: "api" } });
    const roles = ["all", "web", "api", "worker"] as const;
    const instances = await Promise.all(roles.map((role) => instance(the, role)));
    try {
      const texts: string[] = [];
      for (const [n, { authUrl, baseUrl }] of instances.entries()) {
        const role = roles[n];
        if (role === "web" || role === "api") texts.push(await scrape(role === "web" ? authUrl : baseUrl));
        else texts.push(await scrapeAbove(baseUrl, "leadgate_database_bytes ", 0));
      }
      const measured = texts.map((text) => namesIn(text).includes("leadgate_jobs"));
      assert.deepEqual(measured, [true, false, false, true], "only who works on jobs measures them");
      const made = "leadgate_backup_last_success_timestamp_seconds ";
      texts.push(await scrapeAbove(embedded.baseUrl, made, 0));
      const shown = [...new Set(texts.flatMap(namesIn))].sort();
      const listed = [...page.matchAll(/^\| `(leadgate_\w+)/gm)].map(([, name = ""]) => name);
      assert.deepEqual(listed.sort(), shown);
      const series = new Set(texts.flatMap(seriesNames));
      const used = [...`${alerts}${dashboard}`.matchAll(/\b(?:leadgate|nodejs|process)_\w+/g)].map(
        ([name]) => name,
      );
      assert.ok(used.length > 40);
      assert.deepEqual(
        [...new Set(used)].filter((name) => !series.has(name)),
        [],
      );
    } finally {
      await Promise.all(instances.map((each) => each.end("SIGKILL")));
    }
    await embedded.end("SIGTERM");
  },
);

test("the table of alerts has each with its severity and summary", () => {
  const found = [...alerts.matchAll(/alert: (\w+)[\s\S]*?severity: (\w+)[\s\S]*?summary: "(.*)"/g)];
  const rows = found.map(([, name, severity, summary]) => `| \`${name}\` | ${severity} | ${summary} |`);
  assert.ok(rows.length >= 20);
  const table = page.slice(page.indexOf("\n## Alerts\n")).split("\n");
  assert.deepEqual(
    table.filter((line) => line.startsWith("| `")),
    rows,
  );
});
