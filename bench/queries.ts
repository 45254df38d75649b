import { Agent, request } from "node:http";
import { loadavg } from "node:os";
import process from "node:process";
import { Database } from "../src/db/pool/database.ts";
import { buildIndexes } from "../src/domain/custom-fields/build-index.ts";
import { prepareLeads, projectOf } from "./leads/leads-data.ts";
import { USUAL, type UsualQuery } from "./leads/usual-queries.ts";
import { benchDatabase } from "./support/database.ts";
import { startService } from "./support/service-process.ts";

const ROUNDS = 200;
const WARM_UP = 20;
/** The position of the deep page, as a fraction of all leads. */
const DEEP = 0.9;
/** Queries that take this many times longer in the largest project than in the smallest are reported. */
const FLAT = 1.5;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

interface Asked extends UsualQuery {
  path: string;
}

/**
 * Measures the twelve usual queries over HTTP, on one connection, in turn in projects of these sizes in one
 * database.
 */
export async function queries(options: { fresh: boolean; sizes: readonly number[] }): Promise<void> {
  await using database = await benchDatabase({ ...options, folder: "data/bench-queries" });
  const projects = options.sizes.toSorted((a, b) => a - b).map(projectOf);
  await prepareLeads(database, say, projects);
  for (const { id } of projects)
    await database.sql(
      `INSERT INTO store.custom_field (project_id, key, label, type)
       VALUES ($1, 'plan', 'Plan', 'text'), ($1, 'seats', 'Seats', 'integer') ON CONFLICT DO NOTHING`,
      [id],
    );
  await using service = await startService(database.url);
  await database.sql(
    `UPDATE store.custom_field SET index_name = 'seats#bench' WHERE key = 'seats' AND index_name IS NULL`,
  );
  const db = Database.forWork(database.url, { connections: 1, limitMs: 15_000 });
  for (const { id } of projects) await buildIndexes({ db }, id);
  await db.close();
  await database.sql("VACUUM ANALYZE store.lead_number");
  const callers = await Promise.all(
    projects.map(async (project) => {
      const words = ["--project", project.id, "--name", "bench", "--permissions", "leads:read"];
      const { key } = await service.command("key", "create", ...words);
      const post = (path: string, body: object) => posted(`${service.baseUrl}${path}`, String(key), body);
      return { ...project, post, cursor: await deepCursor(post, project.leads * DEEP) };
    }),
  );
  say(`load of the machine before: ${load()}`);
  const usual: Asked[] = USUAL.map((query) => ({ ...query, path: "/api/leads/query/" }));
  const deep: Asked = { name: "deep page by cursor", path: "/api/v1/leads/search", body: {} };
  const grown: string[] = [];
  say(
    `| query, p50 / p95 in ms | ${projects.map(({ leads }) => leads.toLocaleString("en")).join(" | ")} | p50 grows |`,
  );
  say(`|---|${projects.map(() => "---|").join("")}---|`);
  for (const query of [...usual.slice(0, 11), deep, ...usual.slice(11)]) {
    const times = callers.map((): number[] => []);
    for (let round = -WARM_UP; round < ROUNDS; round += 1)
      for (const [i, { id, post, cursor }] of callers.entries()) {
        const current = query.path === "/api/leads/query/";
        const body = current ? { project_id: id, total: "none", ...query.body } : { ...query.body, cursor };
        const began = performance.now();
        await post(query.path, body);
        if (round >= 0) times[i]?.push(performance.now() - began);
      }
    const growth = at(times.at(-1), 0.5) / at(times[0], 0.5);
    const cells = times.map((each) => `${at(each, 0.5).toFixed(1)} / ${at(each, 0.95).toFixed(1)}`);
    say(`| ${query.name} | ${cells.join(" | ")} | ${growth.toFixed(2)} |`);
    if (growth > FLAT) grown.push(`${query.name}${query.mayGrow === undefined ? "" : ` (${query.mayGrow})`}`);
  }
  say(`load of the machine after: ${load()}`);
  say(`grew more than ${FLAT} times: ${grown.join(", ") || "none"}`);
  agent.destroy();
}

/** Returns the cursor after this many leads, read as a client would, in the largest pages. */
async function deepCursor(
  post: (path: string, body: object) => Promise<string>,
  behind: number,
): Promise<string> {
  let cursor: string | undefined;
  for (let read = 0; read < behind; read += 500) {
    const body = { limit: 500, fields: ["id"], ...(cursor === undefined ? {} : { cursor }) };
    cursor = (JSON.parse(await post("/api/v1/leads/search", body)) as { next_cursor: string }).next_cursor;
  }
  return cursor ?? "";
}

const at = (times: readonly number[] = [], share: number): number => {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
};

const load = (): string =>
  loadavg()
    .map((each) => each.toFixed(1))
    .join(" ");

/** Returns the body of a response; any status but 200 ends the run. */
function posted(url: string, key: string, body: object): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
    const sent = request(url, { method: "POST", agent, headers }, async (answer) => {
      const text = Buffer.concat(await answer.toArray()).toString();
      if (answer.statusCode === 200) resolve(text);
      else reject(new Error(`${url} was answered with ${answer.statusCode}: ${text}`));
    });
    sent.once("error", reject);
    sent.end(JSON.stringify(body));
  });
}
