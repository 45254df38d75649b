import { Chance } from "./random.ts";

export const FAULTS = [
  "kill-service",
  "kill-postgres",
  "kill-both",
  "kill-worker",
  "kill-backend",
  "stop-service",
  "stop-backend",
  "stop-postmaster",
  "drop-connections",
  "refuse-connections",
  "silence",
  "lose-connections",
  "disk-full",
  "clock",
  "rotate-key",
] as const;

export type FaultKind = (typeof FAULTS)[number];

/** A fault at `at` milliseconds of the round, which is undone `lasts` milliseconds later. */
export interface Fault {
  kind: FaultKind;
  at: number;
  lasts: number;
  /** Chooses the process or the connection among those that there are then. */
  pick: number;
  /** Whether silent connections resume; otherwise they are cut. */
  resumes: boolean;
  /** By how many seconds the clock jumps. */
  seconds: number;
}

/** What happens in a round; everything follows from the seed. */
export interface Schedule {
  seed: number;
  /** Two processes that do everything, or one for each role. */
  roles: "all all" | "web api worker";
  limits: "postgres" | "redis";
  /** Whether the last process runs the other version. */
  twoVersions: boolean;
  faults: Fault[];
}

const JUMPS = [-86_400, -3_600, -90, -5, 5, 90, 3_600, 86_400];
const WINDOW_MS = 2_500;

/** How short and how long a fault may be, in milliseconds. */
function lengthOf(kind: FaultKind): [shortest: number, longest: number] {
  // libfaketime reads its file once a second.
  if (kind === "clock") return [1_500, 4_000];
  if (kind === "disk-full") return [500, 3_000];
  return [200, kind.startsWith("kill") ? 2_000 : 8_000];
}

/** The schedule of a round; `kinds` are the faults to choose from. */
export function scheduleOf(seed: number, kinds: readonly FaultKind[] = FAULTS): Schedule {
  const chance = new Chance(seed);
  const roles = chance.isOneIn(3) ? "web api worker" : "all all";
  const limits = chance.isOneIn(3) ? "redis" : "postgres";
  const twoVersions = chance.isOneIn(4);
  const faults = Array.from({ length: chance.between(2, 4) }, (): Fault => {
    const at = chance.between(200, WINDOW_MS);
    const kind = chance.of(kinds);
    // Most are short: half of all stops last less than 0.32 of up to 8 seconds.
    const [shortest, longest] = lengthOf(kind);
    const lasts = Math.round(shortest * (longest / shortest) ** (chance.part() ** 3));
    const pick = chance.between(0, 999);
    return { kind, at, lasts, pick, resumes: chance.isOneIn(2), seconds: chance.of(JUMPS) };
  });
  return { seed, roles, limits, twoVersions, faults: faults.toSorted((a, b) => a.at - b.at) };
}

/** The schedule on one line: `kill-service@320 rotate-key@1200`. */
export const lineOf = ({ roles, limits, twoVersions, faults }: Schedule): string =>
  [
    roles.replaceAll(" ", "+"),
    limits,
    ...(twoVersions ? ["two-versions"] : []),
    ...faults.map(({ kind, at, lasts }) => `${kind}@${at}+${lasts}`),
  ].join(" ");
