import { writeFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { type Ground, signal } from "./ground.ts";
import type { FaultDone } from "./history.ts";
import type { Recorder } from "./recorder.ts";
import type { Relay } from "./relay.ts";
import type { Fault, FaultKind } from "./schedule.ts";
import type { Supervised } from "./supervised.ts";

/** What the faults of a round are done to. */
export interface Stage {
  ground: Ground;
  databaseUrl: string;
  recorder: Recorder;
  processes: { process: Supervised; relay: Relay }[];
  /** The file that the clocks of the processes follow; undefined without libfaketime. */
  clock: string | undefined;
}

/** Does the fault at its time, and undoes it. The history gets it, also when it is impossible here. */
export async function inflict(stage: Stage, fault: Fault): Promise<void> {
  const { recorder } = stage;
  await sleep(Math.max(0, fault.at));
  const start = recorder.now();
  const done: FaultDone = { kind: "fault", name: fault.kind, start, end: 0, crash: CRASHES.has(fault.kind) };
  const more = (await DO[fault.kind](stage, fault)) ?? "";
  done.name += more;
  if (more.startsWith(SKIPPED)) done.crash = false;
  done.end = recorder.now();
  recorder.add(done);
}

/** What a fault that is impossible here begins its description with: it allows nothing. */
const SKIPPED = ": skipped";

/** PostgreSQL empties its unlogged tables, among them the counters of limits. A full disk may end it as well. */
const CRASHES = new Set<FaultKind>(["kill-postgres", "kill-both", "kill-backend", "disk-full"]);

type Deed = (stage: Stage, fault: Fault) => Promise<string | undefined>;

const DO: Record<FaultKind, Deed> = {
  "kill-service": (stage, fault) => killed(chosen(stage, fault).process, fault),
  "kill-worker": (stage, fault) => killed((worker(stage) ?? chosen(stage, fault)).process, fault),
  async "kill-postgres"({ ground }) {
    await ground.kill();
    return undefined;
  },
  async "kill-both"(stage, fault) {
    const [where] = await Promise.all([killed(chosen(stage, fault).process, fault), stage.ground.kill()]);
    return where;
  },
  async "kill-backend"({ ground, databaseUrl }, { pick }) {
    const pid = oneOf(ground.backends(databaseUrl), pick);
    signal(pid, "SIGKILL");
    return pid === undefined ? `${SKIPPED}, nothing is connected` : undefined;
  },
  async "stop-service"(stage, fault) {
    const { process } = chosen(stage, fault);
    await stopped(process.pid, fault);
    return ` ${process.name}`;
  },
  async "stop-backend"({ ground, databaseUrl }, fault) {
    await stopped(oneOf(ground.backends(databaseUrl), fault.pick), fault);
    return undefined;
  },
  async "stop-postmaster"({ ground }, fault) {
    await stopped(ground.postmaster(), fault);
    return undefined;
  },
  async "drop-connections"(stage, fault) {
    const { process, relay } = chosen(stage, fault);
    relay.drop();
    return ` ${process.name}`;
  },
  async "refuse-connections"(stage, fault) {
    const { process, relay } = chosen(stage, fault);
    relay.refuse();
    await sleep(fault.lasts);
    relay.accept();
    return ` ${process.name}`;
  },
  async silence(stage, fault) {
    const { process, relay } = chosen(stage, fault);
    relay.silence();
    await sleep(fault.lasts);
    relay.speak(fault.resumes);
    return ` ${process.name}, ${fault.resumes ? "resumed" : "cut"}`;
  },
  async "lose-connections"(stage, fault) {
    const { process, relay } = chosen(stage, fault);
    relay.lose();
    return ` ${process.name}`;
  },
  async "disk-full"({ ground }, fault) {
    if (!ground.canFill) return `${SKIPPED}, no file system can be mounted`;
    const free = ground.fill();
    await sleep(fault.lasts);
    free();
    return undefined;
  },
  async clock({ clock }, fault) {
    if (clock === undefined) return `${SKIPPED}, libfaketime is absent (Debian: faketime)`;
    writeFileSync(clock, offset(fault.seconds));
    await sleep(fault.lasts);
    writeFileSync(clock, offset(0));
    return ` ${fault.seconds} s`;
  },
  async "rotate-key"({ processes }, fault) {
    for (const { process } of processes) {
      await process.inTurn(async () => {
        await process.end("SIGTERM");
        process.env.SECRET_KEY = `${`chaos-${fault.pick}-`.padEnd(48, "k")},${process.env.SECRET_KEY}`;
        process.start();
        for (let tries = 0; tries < 100 && !(await process.isReady()); tries += 1) await sleep(100);
      });
    }
    return undefined;
  },
};

/** The text of libfaketime's file for a clock that is so many seconds wrong. */
export const offset = (seconds: number): string => `${seconds < 0 ? "" : "+"}${seconds}s\n`;

function oneOf<T>(list: readonly T[], pick: number): T | undefined {
  return list[pick % Math.max(1, list.length)];
}

function chosen({ processes }: Stage, { pick }: Fault): Stage["processes"][number] {
  const found = oneOf(processes, pick);
  if (found === undefined) throw new Error("no process");
  return found;
}

const worker = ({ processes }: Stage) => processes.find(({ process }) => process.role === "worker");

async function killed(process: Supervised, { lasts }: Fault): Promise<string> {
  await process.inTurn(async () => {
    await process.end("SIGKILL");
    await sleep(lasts);
    process.start();
  });
  return ` ${process.name}`;
}

async function stopped(pid: number | undefined, { lasts }: Fault): Promise<void> {
  signal(pid, "SIGSTOP");
  try {
    await sleep(lasts);
  } finally {
    signal(pid, "SIGCONT");
  }
}
