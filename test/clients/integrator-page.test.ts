import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { addLead } from "../mcp/support/assistant.ts";
import { lacks } from "../programs.ts";
import { freePort, world } from "../world.ts";
import { deciding } from "./support/person.ts";

const the = await world();
const page = await readFile("docs/connect.md", "utf8");
let folder = "";
before(async () => {
  folder = await mkdtemp(join(tmpdir(), "leadgate-integrator-"));
  await symlink(resolve("node_modules"), join(folder, "node_modules"));
  await addLead(the, { name: "Nadia Brandt" });
});
after(async () => {
  await the[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Returns the page's code blocks in one language, with the URLs of this run. */
function blocks(language: string, port: number): string[] {
  return [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "gm"))].map(
    ([, block = ""]) =>
      block
        .replaceAll("http://localhost:3000", the.authUrl)
        .replaceAll("127.0.0.1:8765", `127.0.0.1:${port}`),
  );
}

/** Runs a program; the person opens the URL that it prints, and `deliver` passes the redirect back to it. */
async function run(
  words: string[],
  deliver: (back: URL, input: NodeJS.WritableStream) => Promise<void>,
): Promise<{ code: number | null; out: string; err: string }> {
  const approving = deciding(await the.signedIn());
  const [command = "", ...rest] = words;
  const child = spawn(command, rest, { cwd: folder, stdio: ["pipe", "pipe", "pipe"] });
  const heard = { out: "", err: "" };
  let visited: Promise<void> | undefined;
  child.stdout.on("data", (data: Buffer) => {
    heard.out += data.toString();
    const address = /^(http\S+\/oauth\/authorize\?\S+)\n/m.exec(heard.out)?.[1];
    if (address === undefined) return;
    visited ??= approving(new URL(address))
      .then((back) => deliver(back, child.stdin))
      .catch((error: unknown) => {
        heard.err += String(error);
        child.kill();
      });
  });
  child.stderr.on("data", (data: Buffer) => {
    heard.err += data.toString();
  });
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  await visited;
  return { code, ...heard };
}

test("the curl lines of the page authorize an application, call, refresh, and revoke", {
  skip: lacks("bash", "curl", "openssl"),
}, async () => {
  const lines = blocks("sh", await freePort());
  assert.ok(lines.length >= 8);
  const script = `set -euo pipefail\n${lines.join("\n")}`;
  const { code, out, err } = await run(["bash", "-c", script], async (back, input) => {
    input.write(`${back}\n`);
  });
  assert.equal(code, 0, `${out}\n${err}`);
  assert.doesNotMatch(out, /STOP/);
  assert.match(out, /Harbour Sales/);
  assert.match(out, /Nadia Brandt/);
  assert.match(out, /"active":true[\s\S]*"active":false/);
});

for (const [at, library] of ["oauth4webapi", "openid-client"].entries()) {
  test(`the page's program with ${library} does the same as it stands`, async () => {
    const program = blocks("js", await freePort())[at] ?? "";
    assert.ok(program.includes(`from "${library}"`));
    const file = join(folder, `${library}.mjs`);
    await writeFile(file, program);
    const { code, out, err } = await run([process.execPath, file], async (back) => {
      assert.equal((await fetch(back)).status, 200);
    });
    assert.equal(code, 0, `${out}\n${err}`);
    assert.deepEqual(out.trim().split("\n").slice(1), ["200", "200", "401"]);
  });
}

test("every OAuth error of the service is on the page with its cause, and every one on the page exists", async () => {
  const dialect = await readFile("src/surfaces/oauth/endpoints/dialect.ts", "utf8");
  const said = [...dialect.matchAll(/"([a-z]+_[a-z_]+)"/g)].map(([, code = ""]) => code);
  assert.ok(said.includes("invalid_grant"));
  const table = page.slice(page.indexOf("## When it does not work"), page.indexOf("## Lifetimes"));
  const own = new Set([
    ...said,
    "access_denied",
    "invalid_token",
    "insufficient_scope",
    "unsupported_response_type",
  ]);
  const causes = [...table.matchAll(/^\| (.*?) \|/gm)].map(([, cause = ""]) => cause).join(" ");
  for (const code of said.filter((each) => !["too_many_requests", "too_large", "too_many"].includes(each)))
    assert.ok(causes.includes(`\`${code}\``), `${code} is missing on the page`);
  for (const [, code = ""] of causes.matchAll(/`(?:error=")?([a-z]+_[a-z]+(?:_[a-z]+)*)"?`/g))
    assert.ok(
      own.has(code) || ["client_id", "redirect_uri"].includes(code),
      `${code} is not said by the service`,
    );
});
