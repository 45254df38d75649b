import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { mailbox } from "../accounts/support/mailbox.ts";
import { writer } from "../api/support/writing.ts";
import { SECRET, served, until } from "../backups/support/served.ts";
import { large } from "../large.ts";
import { lacks } from "../programs.ts";
import { freePort, type World } from "../world.ts";
import { addUnknown, busy, crowded, exported, forgot, slowRead, UNKNOWN } from "./support/cause.ts";

const FOLDER = "deploy/observe";

test("promtool accepts the alerts, and each of them fires and does not fire", {
  skip: lacks("promtool"),
}, () => {
  const promtool = (...words: string[]) => execFileSync("promtool", words, { cwd: FOLDER, encoding: "utf8" });
  assert.match(promtool("check", "rules", "alerts.yml"), /34 rules/);
  promtool("test", "rules", "alerts.test.yml", "alerts-backups.test.yml");
  promtool("check", "config", "--syntax-only", "prometheus.yml");
});

interface Prometheus extends AsyncDisposable {
  /** Asks its API; returns the data of the answer, which must be a success. */
  ask<T>(path: string, parameters?: Record<string, string>): Promise<T>;
}

/** Starts Prometheus with our example of its configuration, in which the addresses, the token and the times are ours. */
async function prometheus(targets: readonly string[], token: string): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-prometheus-"));
  const replaced = (text: string, from: string | RegExp, to: string) => {
    assert.match(text, typeof from === "string" ? new RegExp(from) : from);
    return text.replaceAll(from, to);
  };
  writeFileSync(join(folder, "token"), token);
  cpSync(join(FOLDER, "alerts.yml"), join(folder, "alerts.yml"));
  let config = readFileSync(join(FOLDER, "prometheus.yml"), "utf8");
  config = replaced(config, "/etc/prometheus/leadgate-token", join(folder, "token"));
  config = replaced(config, /targets: .*/g, `targets: ${JSON.stringify(targets)}`);
  config = replaced(config, "15s", "1s");
  writeFileSync(join(folder, "prometheus.yml"), config);
  const address = `127.0.0.1:${await freePort()}`;
  // At its root, answers would be checked as if they were ours.
  const url = `http://${address}/prometheus`;
  const words = [
    "--config.file",
    join(folder, "prometheus.yml"),
    "--storage.tsdb.path",
    join(folder, "data"),
  ];
  const child = spawn(
    "prometheus",
    [...words, "--web.listen-address", address, "--web.route-prefix", "/prometheus"],
    {
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const gone = once(child, "exit");
  let printed = "";
  child.stderr.on("data", (data: Buffer) => {
    printed += data.toString();
  });
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => {
        if (child.exitCode !== null) throw new Error(`Prometheus ended: ${printed}`);
        return false;
      },
    );
  await until(isReady, "Prometheus");
  return {
    async ask<T>(path: string, parameters: Record<string, string> = {}) {
      const body = (await (
        await fetch(`${url}/api/v1/${path}?${new URLSearchParams(parameters)}`)
      ).json()) as {
        status: string;
        data: T;
      };
      assert.equal(body.status, "success", JSON.stringify({ parameters, body }));
      return body.data;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

interface Rule {
  name: string;
  query: string;
  health: string;
  lastError?: string;
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}

/** Causes what the dashboard shows. */
async function used(the: World): Promise<void> {
  const key = await writer(the);
  await slowRead(the, key);
  await crowded(the, key);
  await exported(the);
  assert.equal((await key.send("GET", "/api/v1/leads/lead_none")).status, 404);
}

large(
  "a Prometheus with the example of its configuration reads instances, evaluates each alert, and has data for each query of the dashboard",
  {
    skip: lacks("prometheus"),
  },
  async (t) => {
    const token = "let me see";
    await using mail = await mailbox({ refuses: UNKNOWN });
    const embedded = await served(t);
    await embedded.start({ BACKUP_PASSPHRASE: SECRET, METRICS_TOKEN: token });
    await using the = await busy(mail.url, { METRICS_TOKEN: token });
    const targets = [the.baseUrl, embedded.baseUrl].map((url) => new URL(url).host);
    await using running = await prometheus(targets, token);
    const since = Date.now() / 1_000;
    type Series = { values: [number, string][] }[];
    const found = async (query: string): Promise<boolean> => {
      const times = { start: String(since), end: String(Date.now() / 1_000), step: "1" };
      const { result } = await running.ask<{ result: Series }>("query_range", { query, ...times });
      return result.some(({ values }) => values.some(([, value]) => Number.isFinite(Number(value))));
    };

    await until(() => found(`count(up{job="leadgate"} == 1) == ${targets.length}`), "all targets");
    await addUnknown(the);
    await forgot(the, the.person.email);
    await forgot(the, UNKNOWN);
    await used(the);
    await until(() => found("leadgate_slow_lane_total > 0"), "the first scrape after the work");
    await used(the);

    const names = await running.ask<string[]>("label/instance/values", { "match[]": "leadgate_build_info" });
    assert.deepEqual(names.sort(), targets.sort());
    const dashboard = JSON.parse(readFileSync(join(FOLDER, "dashboard.json"), "utf8")) as { panels: Panel[] };
    const queries = dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }): [string, string] => [title, expr]),
    );
    assert.ok(queries.length > 30);
    for (const [title, expr] of queries) {
      const query = expr.replaceAll("$instance", ".*").replaceAll("$__rate_interval", "10s");
      assert.doesNotMatch(query, /\$/);
      await until(() => found(query), `data of ${title}: ${query}`);
    }
    for (const query of [
      'leadgate_mails_total{outcome="sent"} > 0',
      'leadgate_mails_total{outcome="failed"} > 0',
    ])
      await until(() => found(query), query);

    const rulesNow = async () => {
      const { groups } = await running.ask<{ groups: { rules: Rule[] }[] }>("rules");
      return groups.flatMap(({ rules }) => rules);
    };
    await until(async () => (await rulesNow()).every(({ health }) => health !== "unknown"), "the alerts");
    const rules = await rulesNow();
    assert.equal(rules.length, 34);
    for (const { name, query, health, lastError = "" } of rules) {
      assert.equal(health, "ok", `${name}: ${lastError}`);
      await running.ask("query", { query });
    }
  },
);
