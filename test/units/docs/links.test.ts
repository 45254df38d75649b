import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync, statSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";
import { linksOf, linksOutside } from "../../install/support/page-links.ts";

const isOurs = (path: string) => !/(^|\/)(node_modules|dist|generated|data|demo-data)(\/|$)/.test(path);
const filesOf = (...patterns: string[]) =>
  globSync(patterns, { exclude: (path) => !isOurs(path) }).filter((path) => statSync(path).isFile());
const pages = filesOf("*.md", "{docs,clients,demo,deploy,test,lab,packaging}/**/*.md");

/** Returns the anchors of a page: those of its headings, as GitHub writes them. */
function anchorsOf(path: string): Set<string> {
  const text = readFileSync(path, "utf8").replace(/^ *```[\s\S]*?^ *```/gm, "");
  const anchors = new Set<string>();
  for (const [, heading = ""] of text.matchAll(/^#+ (.+)$/gm)) {
    const words = heading.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const anchor = words
      .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
      .trim()
      .replaceAll(" ", "-");
    let free = anchor;
    for (let i = 1; anchors.has(free); i += 1) free = `${anchor}-${i}`;
    anchors.add(free);
  }
  return anchors;
}

/** Says why a link of a page leads nowhere; undefined if it leads somewhere. */
function fault(page: string, target: string): string | undefined {
  const [file = "", anchor] = target.split("#");
  const path = file === "" ? page : normalize(join(dirname(page), decodeURI(file)));
  if (!existsSync(path)) return `${page}: ${target}: there is no ${path}`;
  if (anchor === undefined || !path.endsWith(".md") || anchorsOf(path).has(anchor)) return undefined;
  return `${page}: ${target}: there is no such heading`;
}

test("each link between pages leads to a file and a heading that exist", () => {
  const links = pages.flatMap((page) =>
    linksOf(readFileSync(page, "utf8")).map((target) => [page, target] as const),
  );
  assert.ok(links.length > 300, `${links.length} links`);
  assert.deepEqual(links.map(([page, target]) => fault(page, target)).filter(Boolean), []);
});

test("no page of the release archive links to a file that is not in it", () => {
  const { files } = JSON.parse(readFileSync("package.json", "utf8")) as { files: string[] };
  // npm adds the README, and takes folders whole.
  const all = (patterns: string[]) =>
    filesOf(...patterns.flatMap((pattern) => [pattern, `${pattern.replace("!", "")}/**/*`]));
  const without = new Set(all(files.filter((pattern) => pattern.startsWith("!"))));
  const packed = ["README.md", ...all(files.filter((pattern) => !pattern.startsWith("!")))];
  assert.deepEqual(linksOutside(".", new Set(packed.filter((path) => !without.has(path)))), []);
});

for (const folder of ["docs/operate", "docs/decisions"])
  test(`${folder}/README.md has a line for each page of its folder`, () => {
    const map = readFileSync(`${folder}/README.md`, "utf8");
    const listed = [...map.matchAll(/^\| \[[\w.-]+\]\(([\w-]+\.md)\) \|/gm)].map(
      ([, name]) => `${folder}/${name}`,
    );
    const others = pages.filter((page) => dirname(page) === folder && !page.endsWith("/README.md"));
    assert.deepEqual(listed.sort(), others.sort());
  });

test("each page that sources and examples name exists, with its heading", () => {
  const sources = filesOf("{src,web/src,test,lab,deploy,packaging,bin,.ci}/**/*", "Containerfile");
  const named = sources
    .filter((path) => /\.(ts|tsx|js|cfg|conf|service|sh|sql|json|ya?ml)$|Containerfile$/.test(path))
    .flatMap((path) =>
      [...readFileSync(path, "utf8").matchAll(/(?<![\w/.-])docs\/[\w/-]+\.md(?:#[\w-]+)?/g)].map(
        ([target]) => [path, target] as const,
      ),
    );
  assert.ok(named.length > 20, `${named.length} names`);
  const faults = named.flatMap(([path, target]) => {
    const reason = fault("README.md", target);
    return reason === undefined ? [] : [`${path}: ${reason}`];
  });
  assert.deepEqual(faults, []);
});
