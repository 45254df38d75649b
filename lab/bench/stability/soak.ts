import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { createPerson } from "../../../src/domain/accounts/people/create-person.ts";
import { Browser } from "../../../test/browser.ts";
import { prepareGround, prepareTokens } from "../../../test/oauth/support/inserted-grants.ts";
import { type ServiceProcess, startService } from "../../../test/processes/service-process.ts";
import { prepareLeads, projectOf } from "../leads/leads-data.ts";
import { type BenchDatabase, benchDatabase } from "../support/database.ts";
import { SoakClient } from "./soak/soak-calls.ts";
import { moveFiles } from "./soak/soak-files.ts";
import { growthOf, type Sample, sampleOf } from "./soak/soak-samples.ts";
import { type SoakTarget, Tally } from "./soak/soak-target.ts";
import { refuseNoWork } from "./work.ts";

const CLIENTS = 16;
const CAPACITY_S = 10;
const SAMPLE_MS = 10_000;
const MOST_GROWTH = 1.1;
/** A service that becomes slow gets less load: below this share of the rate that was meant, it was not tested. */
const LEAST_LOAD = 0.9;
/** Shorter runs are not judged by their growth: the heap is still finding its size. */
const JUDGED_MINUTES = 15;

const say = (line: string) => void process.stdout.write(`${line}\n`);

/**
 * Watches the memory and the connections of a service under mixed load at half its capacity. Throws if a call failed,
 * a connection leaked, memory grew by more than a tenth after the first five minutes, or the load was less than meant.
 */
export async function soak({ minutes }: { minutes: number }): Promise<void> {
  refuseNoWork("--minutes", minutes);
  await using database = await benchDatabase({ fresh: true, folder: "data/bench-soak" });
  await using service = await startService(database.url);
  const { target, clients, tally } = await prepare(database, service);
  const ports = target.ports;
  const sample = (at: number) => sampleOf(service.pid, ports, at);
  const idle = await sample(0);
  const capacity = await callsPerSecond(clients, CAPACITY_S);
  say(`capacity ${capacity.toFixed(0)} calls/s; the load is half of it for ${minutes} minutes`);
  const samples: Sample[] = [];
  const seconds = minutes * 60;
  const began = performance.now();
  const at = () => (performance.now() - began) / 1_000;
  const over = new AbortController();
  const files = moveFiles(target, tally, over.signal);
  const load = clients.map((client) =>
    paced(client, (CLIENTS * 1_000) / (capacity / 2), () => at() < seconds),
  );
  while (at() < seconds) {
    await sleep(SAMPLE_MS);
    const now = await sample(at());
    samples.push(now);
    say(lineOf(now));
  }
  over.abort();
  const [made] = await Promise.all([Promise.all(load), files]);
  for (const client of clients) client.close();
  const after = await quiet(sample, idle);
  const { first, last, ratio, slope } = growthOf(samples, seconds);
  const leaked = Math.max(0, after.connections - idle.connections);
  const calls = made.reduce((all, each) => all + each, 0);
  const share = calls / seconds / (capacity / 2);
  say(
    `${calls} calls, ${(calls / seconds).toFixed(0)}/s, ${share.toFixed(2)} of the rate that was meant; ${tally.calls} in all`,
  );
  for (const [kind, n] of tally.failed) say(`failed ${kind}: ${n}, first: ${tally.examples.get(kind)}`);
  say(
    `RSS ${first.toFixed(0)} MB after the warm-up, ${last.toFixed(0)} MB at the end: ratio ${ratio.toFixed(3)}`,
  );
  say(`slope after the warm-up ${slope.toFixed(1)} MB per 10 minutes`);
  say(`descriptors ${idle.descriptors} idle, ${after.descriptors} afterwards; leaked connections ${leaked}`);
  // Without samples there is no ratio, which is no proof either.
  const grew = minutes >= JUDGED_MINUTES && !(ratio <= MOST_GROWTH);
  const wrong = [
    ...(tally.failed.size > 0 ? ["calls failed"] : []),
    ...(leaked > 0 ? ["connections leaked"] : []),
    ...(grew ? ["memory grew"] : []),
    ...(share >= LEAST_LOAD ? [] : [`the load was below ${LEAST_LOAD} of the rate that was meant`]),
  ];
  if (wrong.length > 0) throw new Error(wrong.join(", "));
}

const lineOf = ({ at, rssMb, heapMb, connections, descriptors }: Sample): string =>
  `${at.toFixed(0)} s: RSS ${rssMb.toFixed(0)} MB, heap ${heapMb.toFixed(0)} MB, connections ${connections}, descriptors ${descriptors}`;

async function prepare(database: BenchDatabase, service: ServiceProcess) {
  const project = projectOf(10_000);
  await prepareLeads(database, say, [project]);
  await database.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type)
     VALUES ($1, 'plan', 'Plan', 'text'), ($1, 'seats', 'Seats', 'integer')`,
    [project.id],
  );
  const ground = await prepareGround(database);
  const person = { email: "soak@example.org", password: "a long enough one", name: "Soak" };
  const { id } = await createPerson({ query: database.sql }, { ...person, verified: true });
  for (const each of [ground.personId, id])
    await database.sql("INSERT INTO membership (person_id, project_id, role) VALUES ($1, $2, 'owner')", [
      each,
      project.id,
    ]);
  const words = [
    "--project",
    project.id,
    "--name",
    "soak",
    "--permissions",
    "leads:read,leads:write,schema:write",
  ];
  const key = String((await service.command("key", "create", ...words)).key);
  const browser = new Browser(`http://localhost:${service.authPort}`);
  const { status } = await browser.signIn(person);
  if (status !== 303) throw new Error(`the sign-in was answered with ${status}`);
  const ports = { web: service.authPort, api: Number(new URL(service.baseUrl).port) };
  const target: SoakTarget = { ports, projectId: project.id, key, clientId: ground.clientId, browser };
  const tokens = await prepareTokens(database, { ...ground, projectId: project.id }, CLIENTS);
  const tally = new Tally();
  return { target, tally, clients: tokens.map((token) => new SoakClient(target, tally, token)) };
}

async function callsPerSecond(clients: readonly SoakClient[], seconds: number): Promise<number> {
  const end = performance.now() + seconds * 1_000;
  let calls = 0;
  await Promise.all(
    clients.map(async (client) => {
      for (; performance.now() < end; calls += 1) await client.call();
    }),
  );
  return calls / seconds;
}

/** Makes a call in each interval; calls that take longer are not caught up. Returns how many it made. */
async function paced(client: SoakClient, intervalMs: number, isOn: () => boolean): Promise<number> {
  let made = 0;
  await sleep(Math.random() * intervalMs);
  for (let next = performance.now(); isOn(); ) {
    await client.call();
    made += 1;
    next = Math.max(next + intervalMs, performance.now());
    await sleep(Math.max(0, next - performance.now()));
  }
  return made;
}

/** Waits until no more connections are open than while idle; returns the last sample. */
async function quiet(sample: (at: number) => Promise<Sample>, idle: Sample): Promise<Sample> {
  for (let tries = 0; ; tries += 1) {
    const now = await sample(0);
    if (tries === 80 || (now.connections <= idle.connections && now.descriptors <= idle.descriptors))
      return now;
    await sleep(1_000);
  }
}
