import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { test } from "node:test";

/** What is made by a build or belongs to an installation is not in the tree. */
const MADE = /(^|\/)(node_modules|dist|generated|data|demo-data)(\/|$)/;
const tree = globSync("{*,*/**/*}", { exclude: (path) => MADE.test(path) });
const entries = new Set(tree);
/** Every end of a path, since pages name `parts/screen.tsx` of `web/src`, and rooms without `.ts`. */
const ends = new Set(
  tree.flatMap((path) => {
    const parts = path.replace(/\.tsx?$/, "").split("/");
    return [path, parts.join("/")].flatMap((whole) =>
      parts.map((_, i) => whole.split("/").slice(i).join("/")),
    );
  }),
);

/** The changelog tells of the past, so its names may be gone. */
const pages = tree.filter((path) => path.endsWith(".md") && path !== "CHANGELOG.md");
const textOf = (path: string) => readFileSync(path, "utf8");
const TOPS = new Set(
  [...readdirSync("."), ...readdirSync("src")].filter(
    (name) => entries.has(name) || entries.has(`src/${name}`),
  ),
);

/** Words with a slash that begin like a folder of ours: a method of MCP, and protocols. */
const OTHERS = new Set(["server/discover", "http/protobuf", "http/json", "http/1.1"]);

/** Returns the words of the code in a page that name a file or a folder of ours. */
function pathsIn(page: string): string[] {
  const code = [...textOf(page).matchAll(/```[\s\S]*?```|`[^`\n]+`/g)].map(([text]) => text);
  return code
    .flatMap((text) => text.split(/[\s`"'(),;=]+/))
    .map((word) => word.replace(/^\.\/|[/.:]+$/g, ""))
    .filter((word) => /^[\w.*-]+(\/[\w.*-]+)*$/.test(word) && !MADE.test(word) && !/NNNN|^\./.test(word))
    .filter(
      (word) => /.\.(tsx?|sql|css)$/.test(word) || (word.includes("/") && TOPS.has(word.split("/")[0] ?? "")),
    )
    .filter((word) => !OTHERS.has(word));
}

const exists = (path: string) => (path.includes("*") ? globSync(path).length > 0 : ends.has(path));

test("each file and folder that a page names in code exists", () => {
  const named = pages.flatMap((page) => pathsIn(page).map((path) => [page, path] as const));
  assert.ok(named.length > 200, `${named.length} paths`);
  assert.deepEqual(
    named.filter(([, path]) => !exists(path)),
    [],
  );
});

test("each name that a page places in a file is in that file", () => {
  const placed = pages.flatMap((page) =>
    [...textOf(page).matchAll(/`(\w+)[^`\n]*` (?:in|of)\s+`([\w./-]+\.tsx?)`/g)].map(
      ([, name = "", path = ""]) => [page, name, path] as const,
    ),
  );
  assert.ok(placed.length > 10, `${placed.length} names`);
  const missing = placed.filter(
    ([, name, path]) =>
      !tree
        .filter((each) => each === path || each.endsWith(`/${path}`))
        .some((each) => new RegExp(`\\b${name}\\b`).test(textOf(each))),
  );
  assert.deepEqual(missing, []);
});

test("each trace of a guide finds its word in the sources", () => {
  const traces = pages.flatMap((page) =>
    [...textOf(page).matchAll(/git grep -n "?([\w-]+)/g)].map(([, word = ""]) => [page, word] as const),
  );
  assert.ok(traces.length > 0);
  const sources = tree.filter((path) => /^(src|web\/src|db)\/.*\.(tsx?|sql)$/.test(path)).map(textOf);
  assert.deepEqual(
    traces.filter(([, word]) => !sources.some((text) => text.includes(word))),
    [],
  );
});

for (const [folder, kind] of [
  ["db/migrations", ".sql"],
  ["docs/decisions", ".md"],
] as const)
  test(`${folder}/README.md names each number that is missing there, and no other`, () => {
    const numbers = readdirSync(folder)
      .filter((name) => /^\d{4}/.test(name) && name.endsWith(kind))
      .map((name) => Number(basename(name).slice(0, 4)));
    assert.equal(new Set(numbers).size, numbers.length, "two files have one number");
    const missing = Array.from({ length: Math.max(...numbers) }, (_, i) => i + 1).filter(
      (number) => !numbers.includes(number),
    );
    const [, section = ""] = textOf(`${folder}/README.md`).split("## Missing numbers\n");
    const rows = [...section.matchAll(/^\| (\d{4}[\d, ]*)\|/gm)].map(([, cell = ""]) => cell);
    const explained = rows.flatMap((cell) => cell.split(",").map(Number));
    assert.deepEqual(explained, missing);
  });
