import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import { large } from "../large.ts";
import { type KeyActor, world } from "../world.ts";
import { makesOneLead, syncsTwice } from "./support/docs-programs.ts";
import { compile, linkTypes, outside, run } from "./support/typed-program.ts";

const the = await world();
const readme = await readFile("clients/typescript/README.md", "utf8");
let folder = "";
let key: KeyActor;

/** The client is installed as a stranger would, except that no registry is asked: it has no dependencies. */
before(async () => {
  key = await the.key(["leads:read", "leads:write"]);
  folder = await outside("client");
  const npm = (words: string[], cwd: string) =>
    promisify(execFile)("npm", words, { cwd, shell: process.platform === "win32" });
  await npm(["pack", "--silent", "--pack-destination", folder], resolve("clients/typescript"));
  await npm(["install", "--offline", "--no-audit", "--no-fund", "./leadgate-client-0.2.0.tgz"], folder);
  await linkTypes(folder);
});
after(async () => {
  await the[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Writes the programs of the README into the folder, with the URL of this run. */
async function writePrograms(): Promise<void> {
  for (const [, block = "", name = ""] of readme.matchAll(/^```ts\n(\/\/ (\S+\.ts):[\s\S]*?)^```/gm))
    await writeFile(join(folder, name), block.replaceAll("http://localhost:3001", the.baseUrl));
}

const program = (name: string, ...words: string[]) =>
  run(folder, [`${name}.js`, ...words], { LEADGATE_KEY: key.text });

large(
  "the programs of the client's README compile with TypeScript 5 and 7, for Node and for bundlers",
  async () => {
    await writePrograms();
    await compile(folder, { modules: "nodenext", compiler: 5, skipLibCheck: false });
    await compile(folder, { modules: "bundler", compiler: 5 });
    await compile(folder, { modules: "bundler", compiler: 7 });
    await compile(folder, { modules: "nodenext", compiler: 7, skipLibCheck: false });
  },
);

test("the programs of the client's README run", async () => {
  await writePrograms();
  await compile(folder);
  const [first = ""] = await syncsTwice(program);
  assert.match(first, /^created crm-17 lead_/);
  await makesOneLead(program);
  const figures = await program("dashboard");
  assert.ok(figures.includes("last 7 days: 3"), figures.join("\n"));
  assert.match((await program("mirror")).join(), /^3 leads, as of \S+$/);
  assert.deepEqual(figures.slice(-3).sort(), [
    "Ana Souza ana@example.org",
    "Bo Lindqvist bo@example.org",
    "Dora Nunes dora@example.org",
  ]);
});

/** Lines with `wrong` must not compile, the others must. */
const MISTAKES = `
import { Leadgate, type Filter, type LeadInput } from "@leadgate/client";
const leadgate = new Leadgate({ baseUrl: "", key: "" });
export const filters: Filter[] = [
  { field: "score", op: "gte", value: 50 },
  { field: "custom.whatever", op: "gte", value: 50 },
  { and: [{ or: [{ not: { field: "company", op: "is_empty" } }] }, { view: "view_1" }] },
  { event: { type: "email.*", where: { field: "data.page", op: "eq", value: "/offer" }, count: { op: "eq", value: 0 } } },
  { field: "score", op: "get", value: 50 }, // wrong operator
  { field: "scor", op: "gte", value: 50 }, // wrong field
  { field: "customs.plan", op: "eq", value: "gold" }, // wrong prefix
  { field: "custom.plan", op: "equals", value: "gold" }, // wrong operator of a custom field
  { field: "score", op: "contains", value: "5" }, // wrong operator for a number
  { field: "created_at", op: "in_last", value: { n: 7, unit: "days" } }, // wrong unit
  { and: [{ or: [{ not: { field: "compny", op: "is_empty" } }] }] }, // wrong field, deep inside
  { event: { type: "email.*", count: { op: "equal", value: 0 } } }, // wrong operator of a count
];
export const leads: LeadInput[] = [
  { name: "Ana", custom: { plan: "gold" } },
  { nme: "Ana" }, // wrong field
];
export async function calls() {
  const { data: page } = await leadgate.leads.search({ fields: ["name", "custom.plan"], filter: filters[0]! });
  page.leads.map(({ id, name, custom }) => [id, name?.length, custom.plan]);
  page.leads.map(({ email }) => email); // wrong: not asked for
  const { data: all } = await leadgate.leads.search({ sort: [{ field: "custom.rank", dir: "desc" }] });
  all.leads.map(({ email, score }) => [email?.length, score]);
  await leadgate.leads.search({ fields: ["nme"] }); // wrong field
  await leadgate.leads.search({ sort: [{ field: "scor" }] }); // wrong field
  await leadgate.leads.search({ filtr: filters[0] }); // wrong key
  await leadgate.leads.get(); // wrong: without an id
  for await (const lead of leadgate.leads.searchAll({ fields: ["score"] })) {
    lead.score?.toFixed();
    lead.email; // wrong: not asked for
  }
  for await (const view of leadgate.views.listAll()) view.name.length;
  for await (const { datasets } of leadgate.datasets.listAll().pages()) datasets.length;
}
`.trimStart();

test("a typo in an operator or in the name of a standard field does not compile, and custom fields stay open", async () => {
  for (const name of ["crm-sync", "new-lead", "dashboard"])
    await rm(join(folder, `${name}.ts`), { force: true });
  await writeFile(join(folder, "mistakes.ts"), MISTAKES);
  const wrong = MISTAKES.split("\n").flatMap((line, i) => (line.includes("// wrong") ? [i + 1] : []));
  for (const compiler of [5, 7] as const) {
    const { message } = await compile(folder, { compiler }).then(
      () => new Error("everything compiled"),
      (error: Error) => error,
    );
    const reported = [...message.matchAll(/^mistakes\.ts\((\d+),/gm)].map(([, line]) => Number(line));
    assert.deepEqual([...new Set(reported)], wrong, message);
  }
  await rm(join(folder, "mistakes.ts"));
});
