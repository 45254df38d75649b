import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { large } from "../large.ts";
import { fetchPackage } from "../packages/fetch-package.ts";
import { world } from "../world.ts";
import { Assistant } from "./support/assistant.ts";
import { FIXTURES, NOT_OFFERED, type Reasons } from "./support/conformance-reasons.ts";
import { fixtureServer } from "./support/fixture-server.ts";
import { tokenProxy } from "./support/token-proxy.ts";

const { skip, folder: suite } = await fetchPackage("conformance", "@modelcontextprotocol/conformance");
const SUITE = join(suite, "dist/index.js");

type Outcome = Record<string, string>;

/** Runs a revision's server requirements; returns what failed, by scenario and check. */
async function failures(url: string, revision: string): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), "leadgate-conformance-"));
  const words = [SUITE, "server", "--url", url, "--requirements", revision, "-o", folder];
  const child = spawn(process.execPath, words, { stdio: ["ignore", "ignore", "ignore"] });
  await new Promise((resolve) => child.once("close", resolve));
  const outcome: Outcome = {};
  let [checked, onTheWire] = [0, 0];
  for (const file of await readdir(folder, { recursive: true })) {
    if (!file.endsWith("checks.json")) continue;
    const scenario = /^server-(.+)-\d{4}-\d\d-\d\dT/.exec(file)?.[1] ?? file;
    const checks = JSON.parse(await readFile(join(folder, file), "utf8")) as Check[];
    checked += checks.length;
    onTheWire += checks.filter(({ id }) => id.startsWith("wire-schema-")).length;
    for (const { id, status, errorMessage } of checks) {
      if (status === "FAILURE" || status === "WARNING")
        outcome[`${scenario}: ${id}`] = errorMessage ?? status;
    }
  }
  await rm(folder, { recursive: true, force: true });
  assert.ok(checked > 30 && onTheWire > 20, `the suite ran ${checked} checks, ${onTheWire} of messages`);
  return outcome;
}

/** A message of ours that the protocol's schema forbids: never excused. */
const WIRE = /: wire-schema-/;

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** Returns failures without an excuse, and excuses without a failure. */
function leftOver(outcome: Outcome, reasons: Reasons): { unexplained: Outcome; inVain: string[] } {
  const scenarioOf = (name: string): string => name.slice(0, name.indexOf(": "));
  const reasonFor = (name: string): string | undefined =>
    WIRE.test(name) ? undefined : (reasons[name] ?? reasons[scenarioOf(name)]);
  const failed = Object.keys(outcome).flatMap((name) => [name, scenarioOf(name)]);
  return {
    unexplained: Object.fromEntries(
      Object.entries(outcome).filter(([name]) => reasonFor(name) === undefined),
    ),
    inVain: Object.keys(reasons).filter((name) => !failed.includes(name)),
  };
}

const NOTHING = { unexplained: {}, inVain: [] };

/** One run after another: the suite gives up on an answer after half a second. */
describe("the conformance suite", { skip, concurrency: false }, () => {
  for (const revision of ["2026-07-28", "2025-11-25"]) {
    large(`of ${revision} finds the dispatcher in order`, async () => {
      await using the = await world();
      await using fixtures = await fixtureServer(the);
      const { token } = await Assistant.authorized(the);
      await using proxy = await tokenProxy(fixtures.url, token);
      const outcome = await failures(proxy.url, revision);
      assert.deepEqual(leftOver(outcome, NOT_OFFERED[revision] ?? {}), NOTHING);
    });

    test(`of ${revision} finds the service in order, but for the suite's own fixtures`, async () => {
      await using the = await world();
      const { url, token } = await Assistant.authorized(the);
      await using proxy = await tokenProxy(url, token);
      const outcome = await failures(proxy.url, revision);
      assert.deepEqual(leftOver(outcome, { ...NOT_OFFERED[revision], ...FIXTURES[revision] }), NOTHING);
    });
  }
});
