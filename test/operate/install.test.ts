import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { Browser } from "../browser.ts";
import { packedArchive } from "../install/support/archive.ts";
import { megabytes } from "../install/support/megabytes.ts";
import { type Started, start } from "../install/support/started.ts";
import { large } from "../large.ts";
import { lacksRegistry } from "../programs.ts";
import { blockOf } from "./support/blocks.ts";

const execute = promisify(execFile);
const UNPACK = blockOf("install.md", "Unpack a release archive");
const INTO_FOLDER = blockOf("install.md", "Install it into a folder of npm");
const PACK = blockOf("install.md", "Make a release archive");
const folders: string[] = [];
after(async () => {
  for (const folder of folders) await rm(folder, { recursive: true, force: true });
});

/** A folder that the unprivileged user of the embedded database may enter. */
async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "leadgate-install-"));
  await chmod(folder, 0o755);
  folders.push(folder);
  return folder;
}

/** Runs a block of the page in a folder with the archive; its last line starts the service. */
async function run(block: string, cwd: string, env: Record<string, string> = {}): Promise<Started> {
  const { version } = JSON.parse(await readFile("package.json", "utf8")) as { version: string };
  await copyFile(await packedArchive(), join(cwd, `leadgate-${version}.tgz`));
  const script = block.replace(/\n(.+)\n$/, "\nexec $1\n");
  // npm asks the registry about 200 packages, each of which may take it seconds; it prints what it has asked.
  const npm = { npm_config_prefer_offline: "true", npm_config_audit: "false", npm_config_loglevel: "http" };
  return await start(["sh", "-ec", script], { cwd, env: { ...npm, ...env }, minutes: 10 });
}

/** Creates the first owner with the printed link; checks health, the panel, the reference, and the API with a key. */
async function worksAsInstalled(service: Started, leadgate: (...words: string[]) => Promise<object>) {
  assert.equal((await fetch(`${service.baseUrl}/livez`)).status, 200);
  assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200);
  assert.ok(!service.printed().includes("not built"), service.printed());
  const browser = new Browser(service.authUrl);
  const link = await setUpLink(service);
  const owner = { name: "Ana", email: "ana@example.org", password: "a long enough one", project: "Harbour" };
  const signedIn = await browser.post(link, owner);
  const [project = ""] = /prj_\w+/.exec((await followed(browser, signedIn)).url) ?? [];
  const screen = await browser.get(`/projects/${project}/leads`);
  assert.equal(screen.status, 200);
  const page = await screen.text();
  assert.match(page, /<script type="module" src="\/panel\/assets\//);
  for (const [file] of page.matchAll(/\/panel\/assets\/[\w.-]+/g))
    assert.equal((await browser.get(file)).status, 200, file);
  assert.equal((await fetch(`${service.baseUrl}/reference/js/scalar.js`)).status, 200);

  const { key } = (await leadgate(
    ...["key", "create", "--project", project, "--name", "test"],
    ...["--permissions", "leads:read,leads:write", "--json"],
  )) as { key: string };
  const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
  const create = { method: "POST", headers, body: JSON.stringify({ name: "Ana", email: "ana@example.org" }) };
  assert.equal((await fetch(`${service.baseUrl}/api/v1/leads`, create)).status, 201);
}

/** The link for the first owner, which the service prints a moment after it is ready. */
async function setUpLink(service: Started): Promise<string> {
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(50)) {
    const [link] = /\/setup\/\S+(?=\s)/.exec(service.printed()) ?? [];
    if (link !== undefined) return link;
  }
  throw new Error(`no link for the first owner: ${service.printed()}`);
}

async function followed(browser: Browser, answer: Response): Promise<Response> {
  const next = answer.headers.get("location");
  return next === null ? answer : await followed(browser, await browser.get(next));
}

large("install.md: an archive is made as by the tests", () => {
  assert.equal(PACK, "npm ci\nnpm pack\n");
});

describe("an archive of npm pack", { skip: lacksRegistry(), concurrency: false }, () => {
  large(
    "install.md: unpacked as on the page, serves panel and API by npm start, with PostgreSQL, and takes at most 300 MB",
    async () => {
      const folder = await emptyFolder();
      const cwd = join(folder, "package");
      const env = { DATABASE_URL: "", SECRET_KEY: "", DATA_DIR: join(folder, "data") };
      await using service = await run(UNPACK, folder, env);
      await worksAsInstalled(service, async (...words) => {
        const { stdout } = await execute("npm", ["run", "-s", "leadgate", "--", ...words], {
          cwd,
          env: service.env,
        });
        return JSON.parse(stdout);
      });
      service.child.kill("SIGTERM");
      assert.equal(await service.ended, 0, service.printed());
      assert.deepEqual(service.left(), []);
      for (const name of ["vite", "typescript", "react", "@biomejs", "@scalar"])
        assert.ok(!existsSync(join(cwd, "node_modules", name)), name);
      // with Node and PostgreSQL
      assert.ok(megabytes(cwd) <= 300, `${megabytes(cwd)} MB`);
    },
  );

  large(
    "install.md: installed into a folder of npm as on the page, serves panel and API; its commands run through npx",
    async () => {
      const cwd = await emptyFolder();
      await writeFile(join(cwd, "package.json"), "{}");
      await using service = await run(INTO_FOLDER, cwd);
      await worksAsInstalled(service, async (...words) => {
        const { stdout } = await execute("npx", ["leadgate", ...words], { cwd, env: service.env });
        return JSON.parse(stdout);
      });
      service.child.kill("SIGTERM");
      assert.equal(await service.ended, 0, service.printed());
      assert.deepEqual(service.left(), []);
    },
  );
});
