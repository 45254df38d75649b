import assert from "node:assert/strict";
import { globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { test } from "node:test";

/** What a build makes, and the folders of installations, are not in the tree. */
const MADE = /(^|\/)(node_modules|dist|generated)(\/|$)|^(demo-)?data(\/|$)/;
const tops = readdirSync(".").filter((name) => !MADE.test(name) && !name.startsWith("."));
const tree = globSync(
  tops.flatMap((name) => [name, `${name}/**/*`]),
  { exclude: (name) => /^(node_modules|dist|generated)$/.test(name) },
);
/** Returns every end of some paths, since pages name `parts/screen.tsx` of `web/src`, and rooms without `.ts`. */
const endsOf = (paths: readonly string[]) =>
  new Set(
    paths.flatMap((path) => {
      const parts = path.replace(/\.tsx?$/, "").split("/");
      return [path, parts.join("/")].flatMap((whole) =>
        parts.map((_, i) => whole.split("/").slice(i).join("/")),
      );
    }),
  );
const ends = endsOf(tree);

/** The changelog tells of the past, so its names may be gone. */
const pages = tree.filter((path) => path.endsWith(".md") && path !== "CHANGELOG.md");
const textOf = (path: string) => readFileSync(path, "utf8");
const FIRST = new Set([...tops, ...readdirSync("src")]);

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
      (word) =>
        /.\.(tsx?|sql|css)$/.test(word) || (word.includes("/") && FIRST.has(word.split("/")[0] ?? "")),
    )
    .filter((word) => !OTHERS.has(word));
}

/** Returns the files that a guide makes: each stands before the block with what is in it. */
const madeBy = (page: string) =>
  [...textOf(page).matchAll(/`([\w./-]+)`:\n\n *```(?!diff|sh)/g)].map(([, path = ""]) => path);

const exists = (path: string) => (path.includes("*") ? globSync(path).length > 0 : ends.has(path));

test("each file and folder that a page names in code exists", () => {
  const named = pages.flatMap((page) => {
    const made = endsOf(madeBy(page));
    return pathsIn(page).flatMap((path) => (made.has(path) ? [] : [[page, path] as const]));
  });
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

/** Returns the rooms in the first column of the table behind a line: `a/{b,c}` and `a` (`b`, `c`) have rooms a/b and a/c. */
function roomsBehind(page: string, line: string): string[] {
  const [, rest = ""] = textOf(page).split(`${line}\n`);
  const cells = [...(/(?:^\|.*\n)+/m.exec(rest)?.[0] ?? "").matchAll(/^\| (`[^|]+) \|/gm)].map(
    ([, cell = ""]) => cell,
  );
  const flat = cells
    .join(", ")
    .replace(/`([\w-]+)` \(([^)]+)\)/g, (_, room: string, inner: string) =>
      [`\`${room}\``, ...inner.split(", ").map((each) => each.replace("`", `\`${room}/`))].join(", "),
    );
  return [...flat.matchAll(/`([^`]+)`/g)].flatMap(([, room = ""]) => {
    const [, above, inner] = /^(.+)\/\{(.+)\}$/.exec(room) ?? [];
    return inner === undefined ? [room] : inner.split(",").map((each) => `${above}/${each}`);
  });
}

/** Returns the folders below a folder that have files. */
const foldersOf = (root: string) =>
  [
    ...new Set(
      tree.filter((path) => path.startsWith(`${root}/`) && /\.\w+$/.test(path)).map((path) => dirname(path)),
    ),
  ]
    .filter((folder) => folder !== root)
    .map((folder) => folder.slice(root.length + 1));

test("architecture.md lists each room of the domain, panel.md each one of the panel", () => {
  const listed = roomsBehind("docs/architecture.md", "Inside `domain`, from the ground up:");
  // Rooms inside a room are listed all or not at all.
  const open = new Set(listed.filter((room) => room.includes("/")).map((room) => room.split("/")[0]));
  const rooms = foldersOf("src/domain").flatMap((room) => {
    const [top = ""] = room.split("/");
    return open.has(top) ? [top, room] : [top];
  });
  assert.deepEqual(listed.sort(), [...new Set(rooms)].sort());
  const ofPanel = roomsBehind("docs/panel.md", "their parent. From the ground up:").filter(
    (room) => room !== "web/src",
  );
  assert.deepEqual(ofPanel.sort(), foldersOf("web/src").sort());
});
