import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { SECRET_KEY } from "../processes/service-process.ts";
import { freePort } from "../world.ts";
import { Actor, type Scene } from "./actors/actor.ts";
import { counted } from "./actors/counted.ts";
import { Follower } from "./actors/feed.ts";
import { exporting, importing } from "./actors/files.ts";
import { changing, creating, recording, upserting } from "./actors/leads.ts";
import { holding, signedIn } from "./actors/oauth.ts";
import type { Broken } from "./check/broken.ts";
import { inflict, offset, type Stage } from "./faults.ts";
import { finalCalls } from "./final.ts";
import type { Ground } from "./ground.ts";
import { type History, isAcknowledged, REDIS_LATE, textIn } from "./history.ts";
import { Chance } from "./random.ts";
import { Recorder, type Target } from "./recorder.ts";
import { Relay } from "./relay.ts";
import type { Schedule } from "./schedule.ts";
import { type Role, Supervised } from "./supervised.ts";

/** What rounds need besides the ground; what is absent here is undefined, and skipped by name. */
export interface Tools {
  ground: Ground;
  redisUrl: string | undefined;
  faketime: string | undefined;
  /** The folder of the other version. */
  otherVersion: string | undefined;
  /** Where histories are written. */
  folder: string;
}

export interface Round {
  history: History;
  /** Why the round did not come to its end, if so. */
  failed: Broken[];
  files: string[];
  /** Milliseconds until everything had started, until it was ready after the faults, and until the end. */
  phases: number[];
}

const BURST = 8;
const PER_MINUTE = 900;
/** The service promises ten seconds, on a machine where a start takes at most a third of that. */
const PROMISED_MS = 10_000;
const STARTS = 3;
/** More is waited for, so that the rest of the round can be checked. */
const PATIENCE_MS = 60_000;

/** Runs one round: faults and actors at once, then what is left. */
export async function runRound(schedule: Schedule, tools: Tools): Promise<Round> {
  const file = join(tools.folder, `${schedule.seed}.jsonl`);
  const log = join(tools.folder, `${schedule.seed}.log`);
  rmSync(log, { force: true });
  const recorder = new Recorder(file, schedule);
  const round: Round = { history: recorder.entries, failed: [], files: [file, log], phases: [] };
  try {
    await play(schedule, tools, { recorder, log, phases: round.phases });
  } catch (error) {
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error);
    round.failed.push({ promise: "round", what });
  }
  recorder.flush();
  return round;
}

async function play(
  schedule: Schedule,
  tools: Tools,
  { recorder, log, phases }: { recorder: Recorder; log: string; phases: number[] },
): Promise<void> {
  await using stage = await staged(schedule, tools, recorder, log);
  const { processes } = stage;
  let isOver = false;
  const hosts = (role: Role): Target[] =>
    processes
      .map(({ process }) => process)
      .filter((one) => one.role === "all" || one.role === role)
      .map(({ target }) => target);
  const scene: Scene = {
    ...{ recorder, cast: tools.ground.cast, api: hosts("api"), web: hosts("web") },
    ...{ isOver: () => isOver, shared: [] },
  };
  const actor = (name: string) => new Actor(name, scene, new Chance(schedule.seed * 97 + seedOf(name)));
  const began = recorder.now();
  for (const { process } of processes) process.start();
  await allReady(stage, undefined);
  phases.push(recorder.now());
  const within = Math.max(PROMISED_MS, STARTS * (recorder.now() - began));

  const followers = ["follower-1", "follower-2"].map((name) => new Follower(actor(name)));
  const who = await signedIn(actor("person"), stage.origin);
  for (const follower of followers) await follower.begin();
  await makeShared(actor("maker"));
  const acting = [
    ...["creator-1", "creator-2"].map((name) => creating(actor(name))),
    ...["upserter-1", "upserter-2"].map((name) => upserting(actor(name))),
    ...["changer-1", "changer-2"].map((name) => changing(actor(name))),
    recording(actor("recorder")),
    ...["importer-1"].map((name) => importing(actor(name))),
    exporting(actor("exporter")),
    ...["holder-1", "holder-2"].map((name) => holding(stage.origin, who)(actor(name))),
    ...["counted-1", "counted-2"].map((name) => counted(actor(name))),
    ...followers.map((follower) => follower.follow()),
  ];
  // An actor that throws ends the round at once, not after its faults.
  const acted = Promise.all(acting);
  try {
    await Promise.race([Promise.all(schedule.faults.map((fault) => inflict(stage, fault))), acted]);
    await allReady(stage, { since: recorder.now(), within });
    phases.push(recorder.now());
    await sleep(300);
  } finally {
    isOver = true;
  }
  await acted;
  if (existsSync(log) && readFileSync(log, "utf8").includes("Redis does not respond"))
    recorder.add({ kind: "fault", name: REDIS_LATE, start: 0, end: recorder.now(), crash: false });
  const last = new Actor("last", { ...scene, isOver: () => false }, new Chance(schedule.seed));
  await finalCalls(last, followers, who.clientId);
  recorder.add(await storedIn(stage.databaseUrl));
  phases.push(recorder.now());
}

const seedOf = (name: string): number =>
  [...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) | 0;

/** Starts nothing yet: the relays and the processes of a round, on a copy of the database. */
async function staged(
  { roles, limits, twoVersions, faults }: Schedule,
  { ground, redisUrl, faketime, otherVersion, folder }: Tools,
  recorder: Recorder,
  log: string,
): Promise<Stage & AsyncDisposable & { origin: string }> {
  const databaseUrl = await ground.freshDatabase();
  const isRedis = limits === "redis" && redisUrl !== undefined;
  const [web, api] = [await freePort(), await freePort()];
  const clock =
    faketime !== undefined && faults.some(({ kind }) => kind === "clock")
      ? resolve(folder, "clock")
      : undefined;
  if (clock !== undefined) writeFileSync(clock, offset(0));
  const fakeClock = {
    ...{ LD_PRELOAD: faketime ?? "", FAKETIME_TIMESTAMP_FILE: clock ?? "" },
    ...{ FAKETIME_CACHE_DURATION: "1", FAKETIME_DONT_FAKE_MONOTONIC: "1" },
  };
  const each = roles.split(" ") as Role[];
  const processes: Stage["processes"] = [];
  for (const [i, role] of each.entries()) {
    const relay = await Relay.to(databaseUrl);
    const env = {
      ...{ AUTH_URL: `http://localhost:${web}`, BASE_URL: `http://localhost:${api}`, SECRET_KEY },
      ...{ DATABASE_URL: relay.url, LOG_LEVEL: "warn", CIMD: "off", LIMITS: limitsOf() },
      NODE_COMPILE_CACHE: resolve(ground.folder, "compiled"),
      ...(isRedis ? { REDIS_URL: redisUrl } : {}),
      ...(clock === undefined ? {} : fakeClock),
    };
    const name = `${role}-${i + 1}`;
    const isOther = twoVersions && otherVersion !== undefined && i === each.length - 1;
    const process = new Supervised({
      ...{ name: isOther ? `${name}-other` : name, role, env, log },
      folder: isOther ? otherVersion : ".",
      ports: i === 0 ? [web, api] : [await freePort(), await freePort()],
      onDeath: (how) => recorder.add({ kind: "death", name, at: recorder.now(), how }),
    });
    processes.push({ process, relay });
  }
  const instances = each.filter((role) => role === "all" || role === "api").length;
  recorder.add({ kind: "limit", burst: BURST, each: 60_000 / PER_MINUTE, redis: isRedis, instances });
  return {
    ...{ ground, databaseUrl, recorder, processes, clock },
    origin: `http://localhost:${web}`,
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map(({ process }) => process.end("SIGKILL")));
      await Promise.all(processes.map(({ relay }) => relay.close()));
      await ground.drop(databaseUrl);
    },
  };
}

const limitsOf = (): string =>
  JSON.stringify({
    ...{ api: null, mcp: null, token: null, introspect: null, revoke: null, registration: null },
    datasetReads: { perMinute: PER_MINUTE, burst: BURST },
  });

/** Waits until all processes are ready, and records when each was if it should be ready `within` some time again. */
async function allReady(
  { processes, recorder }: Stage,
  again: { since: number; within: number } | undefined,
): Promise<void> {
  await Promise.all(
    processes.map(async ({ process }) => {
      const until = recorder.now() + PATIENCE_MS;
      let isReady = await process.isReady();
      while (!isReady && recorder.now() < until) {
        await sleep(50);
        isReady = await process.isReady();
      }
      if (again === undefined && !isReady) throw new Error(`${process.name} did not start`);
      if (again === undefined) return;
      const after = isReady ? recorder.now() - again.since : null;
      recorder.add({ kind: "ready", name: process.name, after, within: again.within });
    }),
  );
}

async function makeShared(actor: Actor): Promise<void> {
  while (actor.scene.shared.length < 4) {
    const name = `shared-${actor.scene.shared.length}`;
    const call = await actor.call({
      ...{ op: "lead.create", method: "POST", path: "/api/v1/leads", about: { name }, json: { name } },
    });
    if (!isAcknowledged(call)) throw new Error(`no lead could be created: ${call.status}`);
    actor.scene.shared.push(textIn(call.answer, "id"));
  }
}

async function storedIn(databaseUrl: string) {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ leads: number; jobs: number }>(
      `SELECT (SELECT count(*)::integer FROM store.lead WHERE deleted_at IS NULL) AS leads,
         (SELECT count(*)::integer FROM store.job WHERE state IN ('waiting', 'running')) AS jobs`,
    );
    const { leads = 0, jobs = 0 } = rows[0] ?? {};
    return { kind: "stored", leads, unfinishedJobs: jobs } as const;
  } finally {
    await client.end();
  }
}
