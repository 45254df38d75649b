import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { register } from "../oauth/support/application.ts";
import { fetchPackage } from "../packages/fetch-package.ts";
import { freePort, type World, world } from "../world.ts";
import { SCOPE } from "./support/connection.ts";
import { deciding } from "./support/person.ts";

const { skip, folder: suite } = await fetchPackage("conformance", "@modelcontextprotocol/conformance");
const SUITE = join(suite, "dist/index.js");

/** Runs the suite as its users do; `visit` is the person who opens the URL that it prints. */
async function conformance(
  words: string[],
  visit: (address: URL) => Promise<void>,
): Promise<{ code: number | null; printed: string }> {
  const child = spawn(process.execPath, [SUITE, "authorization", ...words], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  let visited: Promise<void> | undefined;
  const hear = (data: Buffer) => {
    printed += data.toString();
    const address = /^(http\S+\/oauth\/authorize\?\S+)$/m.exec(printed)?.[1];
    if (address !== undefined) visited ??= visit(new URL(address)).catch(() => void child.kill());
  };
  child.stdout.on("data", hear);
  child.stderr.on("data", hear);
  const code = await new Promise<number | null>((resolve) => child.once("close", resolve));
  await visited;
  return { code, printed };
}

/** Returns the suite's checks with their status. */
async function checksIn(folder: string): Promise<Record<string, string>> {
  const files = await readdir(folder, { recursive: true });
  const results = files.filter((file) => file.endsWith("checks.json"));
  const lists = await Promise.all(
    results.map(async (file) => JSON.parse(await readFile(join(folder, file), "utf8")) as Check[]),
  );
  return Object.fromEntries(lists.flat().map(({ id, status }) => [id, status]));
}

interface Check {
  id: string;
  status: string;
}

async function clientOf(the: World, port: number): Promise<string> {
  const redirect = `http://127.0.0.1:${port}/callback`;
  const answer = await register(the, { client_name: "Conformance", redirect_uris: [redirect] });
  return ((await answer.json()) as { client_id: string }).client_id;
}

test("the MCP conformance suite finds the authorization server of 2026-07-28 in order", {
  skip,
}, async (t) => {
  await using the = await world({ env: { CIMD: "on" } });
  const folder = await mkdtemp(join(tmpdir(), "leadgate-conformance-"));
  const port = await freePort();
  const approving = deciding(await the.signedIn());
  const words = ["--url", the.authUrl, "--client-id", await clientOf(the, port), "-p", String(port)];
  const { code, printed } = await conformance(
    [...words, "--resource", `${the.authUrl}/mcp`, "--spec-version", "2026-07-28", "-o", folder],
    async (address) => {
      // The suite leaves out scope, which the service requires (MCP clients take it from the 401): its person
      // adds it.
      address.searchParams.set("scope", SCOPE);
      await fetch(await approving(address));
    },
  );
  assert.equal(code, 0, printed);
  const checks = await checksIn(folder);
  t.diagnostic(JSON.stringify(checks));
  assert.deepEqual(checks, {
    "authorization-server-metadata": "SUCCESS",
    "authorization-server-metadata-cimd": "SUCCESS",
    "authorization-code-grant": "SUCCESS",
  });
  await rm(folder, { recursive: true, force: true });
});
