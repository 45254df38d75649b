import { setTimeout as sleep } from "node:timers/promises";
import { checkBackups, checkPassphrase } from "./backups.ts";
import { checkClock, checkConnections, checkDatabase, checkSecretKey, checkVersions } from "./database.ts";
import { type Finding, mistake, ok, unasked, wordsOf } from "./finding.ts";
import type { Installation } from "./installation.ts";
import { checkDescriptors, checkMail, checkNode, checkRedis } from "./others.ts";
import { checkAuthUrl, checkBaseUrl, checkService } from "./proxy.ts";
import { checkSettings, checkUrls } from "./settings.ts";

interface Check {
  name: string;
  /** Returns what it found; nothing, if there is nothing to say. An error is a mistake, too. */
  run(installation: Installation): Promise<Finding[]>;
  /** Whether it asks the database, so that one finding is enough if that does not answer. */
  needsDatabase?: true;
}

/** What the doctor looks at, in this order. */
const CHECKS: readonly Check[] = [
  { name: "settings", run: checkSettings },
  { name: "URLs", run: checkUrls },
  { name: "service", run: checkService },
  { name: "AUTH_URL", run: checkAuthUrl },
  { name: "BASE_URL", run: checkBaseUrl },
  { name: "database", run: checkDatabase },
  { name: "secret key", run: checkSecretKey },
  { name: "connections", run: checkConnections, needsDatabase: true },
  { name: "versions", run: checkVersions, needsDatabase: true },
  { name: "Node", run: checkNode },
  { name: "clock", run: checkClock, needsDatabase: true },
  { name: "backups", run: checkBackups },
  { name: "passphrase", run: checkPassphrase },
  { name: "file descriptors", run: checkDescriptors },
  { name: "mail", run: checkMail },
  { name: "Redis", run: checkRedis },
];

/** How long a check may take. */
const PATIENCE_MS = 8_000;

/** Runs all checks at once and returns what they found, by the name of the check; `ok` of one with nothing to say. */
export async function examine(installation: Installation): Promise<(Finding & { check: string })[]> {
  const hasDatabase = await Promise.race([
    installation.database().then(
      () => true,
      () => false,
    ),
    sleep(PATIENCE_MS, false, { ref: false }),
  ]);
  const all = await Promise.all(
    CHECKS.map(async ({ name, run, needsDatabase }) => {
      const skipped = needsDatabase === true && !hasDatabase;
      const found = skipped ? [unasked] : await limited(run(installation));
      return (found.length > 0 ? found : [ok("Nothing is wrong.")]).map((finding) => ({
        ...{ check: name, ...finding },
      }));
    }),
  );
  return all.flat();
}

async function limited(findings: Promise<Finding[]>): Promise<Finding[]> {
  const { promise: late, resolve } = Promise.withResolvers<Finding[]>();
  const advice = "Look at what it asks: the network, a firewall, or an overloaded machine.";
  const timer = setTimeout(
    () => resolve([mistake(`No answer within ${PATIENCE_MS / 1_000} seconds.`, advice)]),
    PATIENCE_MS,
  );
  try {
    return await Promise.race([findings, late]);
  } catch (error) {
    return [mistake(`It could not be checked: ${wordsOf(error)}.`, "Correct this, and ask again.")];
  } finally {
    clearTimeout(timer);
  }
}
