import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { promisify } from "node:util";
import { megabytes } from "../../bench/install/megabytes.ts";
import { Browser } from "../browser.ts";
import { fetchPackage } from "../packages/fetch-package.ts";
import { packedArchive } from "./support/archive.ts";
import { type Started, start } from "./support/started.ts";

const run = promisify(execFile);
const NPM = ["--prefer-offline", "--no-audit", "--no-fund"];
// What asks a registry first: whether there is one.
const { skip } = await fetchPackage("npm-11", "npm");

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

/** Creates the first owner with the printed link; checks health, the panel, the reference, and the API with a key. */
async function worksAsInstalled(service: Started, leadgate: (...words: string[]) => Promise<object>) {
  assert.equal((await fetch(`${service.baseUrl}/livez`)).status, 200);
  assert.equal((await fetch(`${service.baseUrl}/readyz`)).status, 200);
  assert.ok(!service.printed().includes("not built"), service.printed());
  const browser = new Browser(service.authUrl);
  const [link = ""] = /\/setup\/\S+/.exec(service.printed()) ?? [];
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

async function followed(browser: Browser, answer: Response): Promise<Response> {
  const next = answer.headers.get("location");
  return next === null ? answer : await followed(browser, await browser.get(next));
}

describe("an archive of npm pack", { skip, concurrency: false }, () => {
  test("unpacked, with npm ci --omit=dev, serves panel and API by npm start, with PostgreSQL, and takes at most 300 MB", async () => {
    const folder = await emptyFolder();
    await run("tar", ["xzf", await packedArchive(), "-C", folder]);
    const cwd = join(folder, "package");
    await run("npm", ["ci", "--omit=dev", ...NPM], { cwd });
    const env = { DATABASE_URL: "", SECRET_KEY: "", DATA_DIR: join(folder, "data") };
    await using service = await start(["npm", "start"], { cwd, env });
    await worksAsInstalled(service, async (...words) => {
      const { stdout } = await run("npm", ["run", "-s", "leadgate", "--", ...words], {
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
  });

  test("installed as a dependency, serves panel and API; its commands run through npx", async () => {
    const cwd = await emptyFolder();
    await writeFile(join(cwd, "package.json"), "{}");
    await run("npm", ["install", await packedArchive(), ...NPM], { cwd });
    await using service = await start(["node_modules/.bin/leadgate", "serve"], { cwd });
    await worksAsInstalled(service, async (...words) => {
      const { stdout } = await run("npx", ["leadgate", ...words], { cwd, env: service.env });
      return JSON.parse(stdout);
    });
    service.child.kill("SIGTERM");
    assert.equal(await service.ended, 0, service.printed());
    assert.deepEqual(service.left(), []);
  });
});
