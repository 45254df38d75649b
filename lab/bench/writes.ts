import process from "node:process";
import { Chance } from "../../test/chaos/random.ts";
import { startService } from "../../test/processes/service-process.ts";
import { refuseNoWork } from "./stability/work.ts";
import { type BenchDatabase, benchDatabase, findPgbench } from "./support/database.ts";
import { median } from "./support/load.ts";
import {
  BATCH,
  type By,
  batches,
  creations,
  patches,
  prepareWrites,
  upserts,
  type WriteRequest,
} from "./writes/write-data.ts";
import { type WriteFloor, writeFloors } from "./writes/write-floors.ts";
import { measureWrites, type WritesMeasured } from "./writes/write-load.ts";

const CONNECTIONS = 16;
/** More than a round can send. */
const PER_SECOND = 4_000;
const BATCHES = 5;

const say = (line: string) => void process.stdout.write(`${line}\n`);
const whole = (n: number) => Math.round(n).toLocaleString("en");
const ms = (n: number) => `${n.toFixed(1)} ms`;
const kb = (n: number) => `${(n / 1_000).toFixed(1)} KB`;

interface Options {
  fresh: boolean;
  seconds: number;
  rounds: number;
  rows: number;
  seed: number;
}

/** A kind of single write: makes its requests, and has a floor. */
interface Kind {
  name: "patch" | "create" | "upsert";
  requests(count: number): WriteRequest[];
}

/**
 * Measures single writes in a project of so many leads, in turn: the service over HTTP, and pgbench doing the bare UPDATE
 * or INSERT with its event in one prepared statement on the same database. Also measures batches of 500 events, one at a
 * time. Prints the log that a write costs, right after a checkpoint, when most of it are images of whole pages.
 */
export async function writes(options: Options): Promise<void> {
  const { seconds, rounds, rows, seed } = options;
  for (const [name, value] of Object.entries({ seconds, rounds, rows }))
    refuseNoWork(`--${name}`, value, name !== "seconds");
  await using database = await benchDatabase({ ...options, folder: "data/bench-writes" });
  const { projectId, known } = await prepareWrites(database, rows, say);
  const chance = new Chance(seed);
  say(`${rows.toLocaleString("en")} leads, ${CONNECTIONS} connections, seed ${seed}`);
  await using service = await startService(database.url);
  const words = ["--project", projectId, "--name", "bench", "--permissions", "leads:read,leads:write"];
  const { key } = await service.command("key", "create", ...words);
  const load = { port: Number(new URL(service.baseUrl).port), key: String(key) };
  const program = findPgbench();
  if (program === undefined)
    say("pgbench is absent (Debian: postgresql-contrib); the service is measured alone");
  const shared = { databaseUrl: database.url, projectId, rows, connections: CONNECTIONS };
  const floors = program === undefined ? undefined : writeFloors({ ...shared, program });

  const kinds: Kind[] = [
    { name: "patch", requests: (count) => patches(known, chance, count) },
    { name: "create", requests: (count) => creations(chance, count) },
    { name: "upsert", requests: (count) => upserts(known, chance, count) },
  ];
  for (const { name, requests } of kinds) {
    const measured: Round[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const long = round === 0 ? 1 : seconds;
      const some = {
        ...load,
        connections: CONNECTIONS,
        requests: requests(PER_SECOND * long),
        seconds: long,
      };
      const [ours, wal] = await logged(database, () => measureWrites(some));
      const floor = floors === undefined ? NO_FLOOR : await floorOf(database, floors[name], long);
      if (round > 0) measured.push({ ...ours, wal: wal / ours.calls, floor });
    }
    report(name, measured);
  }
  for (const by of ["lead_id", "external_id", "email"] as const) {
    const measured: Round[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const some = { ...load, connections: 1, requests: batches(known, chance, by, BATCHES), seconds: 60 };
      const [ours, wal] = await logged(database, () => measureWrites(some));
      const floor = floors === undefined ? NO_FLOOR : await floorOf(database, floors.events, 1);
      if (round > 0) measured.push({ ...ours, wal: wal / ours.calls, floor });
    }
    reportBatches(by, measured);
  }
}

interface Floor {
  perSecond: number;
  wal: number;
}

type Round = WritesMeasured & { wal: number; floor: Floor };

const NO_FLOOR: Floor = { perSecond: Number.NaN, wal: Number.NaN };

async function floorOf(database: BenchDatabase, floor: WriteFloor, seconds: number): Promise<Floor> {
  const [perSecond, wal] = await logged(database, () => floor(seconds));
  return { perSecond, wal: wal / (perSecond * seconds) };
}

/** Runs work after a checkpoint; also returns the bytes of the write-ahead log that were written meanwhile. */
async function logged<T>({ sql, checkpoint }: BenchDatabase, work: () => Promise<T>): Promise<[T, number]> {
  if (!(await checkpoint())) throw new Error("the role of DATABASE_URL may not write a checkpoint");
  const [before] = await sql<{ at: string }>("SELECT pg_current_wal_insert_lsn() AS at");
  const done = await work();
  const [row] = await sql<{ bytes: string }>(
    "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), $1) AS bytes",
    [before?.at],
  );
  return [done, Number(row?.bytes)];
}

function report(name: string, rounds: readonly Round[]): void {
  const of = (read: (round: Round) => number) => median(rounds.map(read));
  const [rate, floor] = [of((each) => each.perSecond), of((each) => each.floor.perSecond)];
  const ratio = of((each) => each.perSecond / each.floor.perSecond).toFixed(2);
  const p = `p50 ${ms(of((each) => each.p50))}, p99 ${ms(of((each) => each.p99))}`;
  say(
    `${name}: ${whole(rate)}/s, ${p}, pgbench ${whole(floor)}/s, ratio ${ratio}; log ${kb(of((each) => each.wal))}, pgbench ${kb(of((each) => each.floor.wal))}`,
  );
  mustHaveWorked(rounds);
}

function reportBatches(by: By, rounds: readonly Round[]): void {
  const of = (read: (round: Round) => number) => median(rounds.map(read));
  const floor = of((each) => 1_000 / each.floor.perSecond);
  const [p50, most] = [of((each) => each.p50), of((each) => each.p99)];
  say(
    `${BATCH} events by ${by}: ${ms(p50)}, most ${ms(most)}, pgbench ${ms(floor)}, ratio ${(floor / p50).toFixed(2)}; log ${kb(of((each) => each.wal))}, pgbench ${kb(of((each) => each.floor.wal))}`,
  );
  mustHaveWorked(rounds);
}

function mustHaveWorked(rounds: readonly Round[]): void {
  const failed = rounds.reduce((sum, each) => sum + each.failed, 0);
  if (failed > 0) throw new Error(`${failed} requests were refused`);
}
