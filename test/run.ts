// Runs the tests: one embedded PostgreSQL for all, a migrated template database, and node's own test runner.
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startEmbedded } from "../src/db/embedded/index.ts";
import { prepareTemplate } from "./template.ts";

const asked = process.argv.slice(2);
const files = asked.length > 0 ? asked : globSync("test/**/*.test.ts").sort();
const folder = mkdtempSync(join(tmpdir(), "leadgate-test-"));
const server = await startEmbedded({ dataDir: folder });
let code = 1;
try {
  await prepareTemplate(server.url);
  const tests = spawn(
    process.execPath,
    [
      "--test",
      "--test-reporter=spec",
      "--test-concurrency=2",
      "--test-timeout=300000",
      "--test-force-exit",
      ...files,
    ],
    {
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, LEADGATE_TEST_SERVER: server.url },
    },
  );
  code = await new Promise<number>((resolve) => tests.once("exit", (status) => resolve(status ?? 1)));
} finally {
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = code;
