import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { randomFrom } from "../../../test/api/support/random-filter.ts";
import { prepareGround, prepareTokens } from "../../../test/oauth/support/inserted-grants.ts";
import { type ServiceProcess, startService } from "../../../test/processes/service-process.ts";
import { prepareLeads, projectOf } from "../leads/leads-data.ts";
import { benchDatabase } from "../support/database.ts";
import { median } from "../support/load.ts";
import { refuseNoWork } from "./work.ts";

const CALLERS = 16;
const LOUD = projectOf(100_000);
const QUIET = projectOf(10_000);
const EMPTY = projectOf(0);

const say = (line: string) => void process.stdout.write(`${line}\n`);

/** A call and how long it took, in milliseconds; a failure is any answer that is not 200. */
type Call = () => Promise<boolean>;

/** What a loud tenant sends from sixteen connections at once. */
interface Load {
  path: string;
  body(random: () => number): object;
}

const word = (random: () => number) => {
  const letters = "abcdefghijklmnopqrstuvwxyz";
  return Array.from({ length: 2 }, () => letters[Math.floor(random() * letters.length)]).join("");
};

const anyOf = (random: () => number, count: number) => ({
  or: Array.from({ length: count }, () => ({
    field: ["name", "email", "company", "city"][Math.floor(random() * 4)],
    op: "contains",
    value: `${word(random)}#`,
  })),
});

const LOADS: Record<string, Load> = {
  "count of 90 conditions": {
    path: "/api/v1/leads/count",
    body: (random) => ({ filter: anyOf(random, 90), exact: true }),
  },
  "count of 60 to 99 conditions": {
    path: "/api/v1/leads/count",
    body: (random) => ({ filter: anyOf(random, 60 + Math.floor(random() * 40)), exact: true }),
  },
  "pages of rare words": {
    path: "/api/v1/leads/search",
    body: (random) => ({
      filter: anyOf(random, 40),
      sort: [{ field: "company", dir: "asc" }],
      total: "exact",
    }),
  },
  "figures of everything": {
    path: "/api/v1/leads/aggregate",
    body: (random) => ({
      group_by: [{ field: "city" }, { field: "company" }],
      metrics: [{ op: "count" }, { op: "sum", field: "value" }],
      filter: anyOf(random, 5),
    }),
  },
};

/**
 * Measures how much others notice of one tenant that sends slow requests over sixteen connections: pages of an empty
 * and of a small project, one lead, a refresh, the sign-in page and /readyz, each five times a second, before and meanwhile.
 */
export async function tenants(options: { seconds: number; seed: number }): Promise<void> {
  refuseNoWork("--seconds", options.seconds);
  await using database = await benchDatabase({ fresh: false, folder: "data/bench-tenants" });
  await prepareLeads(database, say, [LOUD, QUIET]);
  await database.sql(
    "INSERT INTO store.project (project_id, name, slug) VALUES ($1, 'Empty', 'empty') ON CONFLICT DO NOTHING",
    [EMPTY.id],
  );
  const ground = await prepareGround(database);
  await using service = await startService(database.url);
  const keyOf = async (projectId: string) =>
    String(
      (
        await service.command(
          ...["key", "create", "--project", projectId, "--name", "bench", "--permissions", "leads:read"],
        )
      ).key,
    );
  const [loud, quiet, empty] = [await keyOf(LOUD.id), await keyOf(QUIET.id), await keyOf(EMPTY.id)];
  const [lead] = await database.sql<{ id: string }>(
    "SELECT id FROM store.lead WHERE project_id = $1 LIMIT 1",
    [QUIET.id],
  );
  const tokens = await prepareTokens(database, ground, 1);
  const others = othersOf(service, {
    quiet,
    empty,
    lead: lead?.id ?? "",
    refresh: tokens[0]?.refresh ?? "",
    clientId: ground.clientId,
  });
  await during(others, 2);
  report("alone", await during(others, options.seconds));
  for (const [i, [name, load]] of Object.entries(LOADS).entries()) {
    const random = randomFrom(options.seed + i);
    const answers = new Map<number, number>();
    let running = true;
    const callers = Array.from({ length: CALLERS }, async () => {
      while (running) {
        const { status, headers } = await post(`${service.baseUrl}${load.path}`, loud, load.body(random));
        answers.set(status, (answers.get(status) ?? 0) + 1);
        if (status === 429 || status === 503) await sleep(1_000 * Number(headers.get("retry-after") ?? 1));
      }
    });
    report(name, await during(others, options.seconds));
    running = false;
    await Promise.all(callers);
    const list = [...answers].map(([status, count]) => `${count} × ${status}`).join(", ");
    say(`  the loud tenant: ${list}`);
    await sleep(2_000);
  }
}

async function post(url: string, key: string, body: object): Promise<Response> {
  const answer = await fetch(url, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await answer.text();
  if (answer.status === 400) throw new Error(text);
  return answer;
}

function othersOf(
  { baseUrl, authPort }: ServiceProcess,
  {
    quiet,
    empty,
    lead,
    refresh,
    clientId,
  }: Record<"quiet" | "empty" | "lead" | "refresh" | "clientId", string>,
): Record<string, Call> {
  const web = `http://localhost:${authPort}`;
  const page = (key: string, projectId: string) => async () =>
    (await post(`${baseUrl}/api/leads/query/`, key, { project_id: projectId, limit: 50 })).status === 200;
  const get = (url: string, key?: string) => async () => {
    const answer = await fetch(url, key === undefined ? {} : { headers: { Authorization: `Bearer ${key}` } });
    await answer.arrayBuffer();
    return answer.status === 200;
  };
  let current = refresh;
  let refreshing = Promise.resolve(true);
  /** One at a time, because a token that is used twice ends its chain. */
  const refreshOnce = async () => {
    const body = new URLSearchParams({
      grant_type: "refresh_token",
      client_id: clientId,
      refresh_token: current,
    });
    const answer = await fetch(`${web}/api/oauth/token`, { method: "POST", body });
    const { refresh_token: next } = (await answer.json()) as { refresh_token?: string };
    if (next !== undefined) current = next;
    return answer.status === 200;
  };
  return {
    "page, empty project": page(empty, EMPTY.id),
    "page, 10,000 leads": page(quiet, QUIET.id),
    "one lead": get(`${baseUrl}/api/v1/leads/${lead}`, quiet),
    "/api/oauth/token": () => (refreshing = refreshing.then(refreshOnce, refreshOnce)),
    "sign-in page": get(`${web}/sign-in`),
    "/readyz": get(`${baseUrl}/readyz`),
  };
}

type Times = Record<string, { times: number[]; failed: number }>;

/** Calls each of the others five times a second, whether or not the last call was answered. */
async function during(others: Record<string, Call>, seconds: number): Promise<Times> {
  const times: Times = {};
  const pending: Promise<void>[] = [];
  const calls = Object.entries(others);
  for (let at = 0; at < seconds * 5; at += 1) {
    for (const [name, call] of calls) {
      times[name] ??= { times: [], failed: 0 };
      const mine = times[name];
      const since = performance.now();
      pending.push(
        call()
          .catch(() => false)
          .then((ok) => {
            // A failure is not a fast answer.
            mine.times.push(ok ? performance.now() - since : Number.POSITIVE_INFINITY);
            if (!ok) mine.failed += 1;
          }),
      );
      await sleep(200 / calls.length);
    }
  }
  await Promise.all(pending);
  return times;
}

function report(name: string, measured: Times): void {
  say(name);
  for (const [call, { times, failed }] of Object.entries(measured)) {
    const sorted = times.toSorted((a, b) => a - b);
    const p99 = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.99))] ?? Number.NaN;
    say(
      `  ${call}: p50 ${median(times).toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, ${failed} of ${times.length} failed`,
    );
  }
}
