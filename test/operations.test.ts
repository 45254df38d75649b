import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";

/** Functions of the domain that surfaces and http call although they are not operations, by reason. */
const NO_OPERATIONS: Record<string, readonly string[]> = {
  "it is the way in": ["perform", "operationDoor", "refuse"],
  "it counts a call before, or instead of, an operation": [
    ...["countedFor", "countedFrom", "refusedAnonymous", "orCounted"],
  ],
  "it says whose share of the process a request uses, before or after its credential is checked": [
    ...["ownerOfAccepted", "forgetAccepted", "originOf"],
  ],
  "it finds out who calls": ["personOfSession", "personIdOf", "findClient"],
  "it checks a caller of MCP and does nothing else": ["checkToken", "tokenStanding"],
  "it reads the time zones of PostgreSQL, which belong to nobody": ["listZones"],
  "it turns the pages that an operation reads into a stream": ["wholeLog"],
  "it reads a credential's text, and no database": ["readKey", "readAccessToken", "markFor"],
  "it has a request's statements recorded": ["recording"],
  "it says what is known about a project, for a metric": ["sizeOf"],
  "it makes a refusal": ["unknownKey", "unknownToken", "signedOut", "bad"],
  "it computes from its arguments alone": [
    ...["attempt", "faultFinder", "grantable", "isChallenge", "isDocumentAddress", "isLoopback"],
    ...["isSameRedirect", "isVisible", "labelOf", "nextCursorOf", "placeOfRedirect", "positiveOf", "quoted"],
  ],
};

/** Files outside of the domain that access the database, with the reason. */
const DATABASE_USERS: Record<string, string> = {
  "src/http/route/route.ts": "an unreadable input is reported to authorized callers only",
  "src/surfaces/mcp/protocol/allowed.ts": "a caller of MCP is checked",
  "src/surfaces/pages/settings/page.ts": "listZones reads through it",
};

const callers = globSync("src/{surfaces,http}/**/*.ts").sort();

interface Used {
  by: string;
  name: string;
  value: unknown;
}

/** Returns what a file imports from the domain at run time. */
async function usedBy(path: string): Promise<Used[]> {
  const imports = [
    ...readFileSync(path, "utf8").matchAll(/^import (\{[^}]*\}|type [^;]*) from "(\.[^"]+)"/gm),
  ];
  const used = imports.flatMap(([, names = "", target = ""]) => {
    const module = relative(".", resolve(dirname(path), target));
    if (!module.startsWith("src/domain/") || names.startsWith("type ")) return [];
    const each = names
      .slice(1, -1)
      .split(",")
      .map((name) => name.trim().split(" as ")[0] ?? "");
    return each.filter((name) => name !== "" && !name.startsWith("type ")).map((name) => ({ module, name }));
  });
  return await Promise.all(
    used.map(async ({ module, name }) => {
      const exported: Record<string, unknown> = await import(pathToFileURL(module).href);
      return { by: path, name, value: exported[name] };
    }),
  );
}

const used = (await Promise.all(callers.map(usedBy))).flat();

const isOperation = (value: unknown): value is { name: string } =>
  typeof value === "object" && value !== null && "enter" in value && "name" in value;

/** Whether a value is data only, such as a schema, a list or a table. */
const isData = (value: unknown): boolean =>
  typeof value !== "function" &&
  !isOperation(value) &&
  Object.values(value ?? {}).every((member) => typeof member !== "function");

test("surfaces call operations, and of the domain's other functions only those listed here", () => {
  const listed = Object.values(NO_OPERATIONS).flat();
  const others = used.filter(({ value }) => !isOperation(value) && !isData(value));
  const unlisted = others.filter(({ name }) => !listed.includes(name));
  assert.deepEqual(
    unlisted.map(({ by, name }) => `${by} calls ${name}`),
    [],
  );
  const called = new Set(others.map(({ name }) => name));
  assert.deepEqual(
    listed.filter((name) => !called.has(name)),
    [],
    "what nobody calls any more leaves the list",
  );
  assert.ok(used.filter(({ value }) => isOperation(value)).length > 150);
});

test("surfaces import the domain by name, enter operations through perform, and leave the database to them", () => {
  const wrong = callers.filter((path) => {
    const text = readFileSync(path, "utf8");
    return (
      /import\("[^"]*domain\/|^(?:import \*|export) .* from "[^"]*domain\//m.test(text) ||
      /(?<!lanes|admission)\.enter\(/.test(text)
    );
  });
  assert.deepEqual(wrong, []);
  const users = callers.filter((path) => /\bdb\b/.test(readFileSync(path, "utf8")));
  assert.deepEqual(users, Object.keys(DATABASE_USERS));
});

test("no two operations have one name", () => {
  const operations = new Set(used.map(({ value }) => value).filter(isOperation));
  const names = [...operations].map(({ name }) => name).sort();
  assert.deepEqual(names, [...new Set(names)]);
});
