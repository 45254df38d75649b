// Writes the lists by which endpoints, routes and tools are registered: an all.ts for each of these folders, of what its files
// export. `npm run fix` runs it; test/routes.test.ts compares.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Endpoint } from "../src/contract/basics/endpoint.ts";

/** Something that a file exports: the file, below the folder of its list and without `.ts`, its name and its value. */
interface Export<T = unknown> {
  file: string;
  name: string;
  value: T;
}

/** Returns what the list of a folder says. */
type Written = (exported: readonly Export[], folder: string) => string;

/** How the list of each folder is written. */
const LISTS: readonly (readonly [folder: string, written: Written])[] = [
  ["src/contract", endpointsOf],
  ["src/surfaces/api/v1", routesOf],
  ["src/surfaces/api/current", routesOf],
  ["src/surfaces/oauth/endpoints", routesOf],
  ["src/surfaces/oauth/authorize", routesOf],
  ["src/surfaces/pages", routesOf],
  ["src/surfaces/panel", routesOf],
  ["src/surfaces/mcp/tools", toolsOf],
];

/** Chapters of /openapi.json in the order of its paths. Others follow by name; endpoints without a version come last. */
const CHAPTERS = [
  ...["leads", "filters", "timeline", "merges", "people", "exports", "imports", "jobs", "fields", "changes"],
  ...["views", "members", "usage", "datasets"],
];
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"];

/** Yields the file of each list and the text that it should have; routes are read when the list of endpoints was written. */
export async function* lists(): AsyncGenerator<{ path: string; text: string }> {
  for (const [folder, written] of LISTS) {
    const text = written(await exportsBelow(folder), folder);
    yield {
      path: `${folder}/all.ts`,
      text: `// Written by npm run fix: what the files of this folder export.\n${text}`,
    };
  }
}

/** Returns what the files of a folder export, without those that read its list. */
async function exportsBelow(folder: string): Promise<Export[]> {
  const paths = globSync("**/*.ts", { cwd: folder }).filter(
    (path) => path !== "all.ts" && !readFileSync(join(folder, path), "utf8").includes('"./all.ts"'),
  );
  const found = paths.sort().map(async (path) => {
    const exported: object = await import(pathToFileURL(resolve(folder, path)).href);
    return Object.entries(exported).map(([name, value]) => ({
      file: path.replace(/\.ts$/, ""),
      name,
      value,
    }));
  });
  return (await Promise.all(found)).flat();
}

/** The endpoints of each host, which are named by their file, because those without a version have the same names. */
function endpointsOf(exported: readonly Export[]): string {
  const found = exported.filter(isEndpoint).sort(inOrder);
  const files = [...new Set(found.map(({ file }) => file))].sort();
  const listed = (refusals: Endpoint["refusals"]) =>
    found
      .filter(({ value }) => value.refusals === refusals)
      .map(({ file, name }) => `  ${aliasOf(file)}.${name},\n`)
      .join("");
  return `import type { Endpoint } from "./basics/endpoint.ts";
${files.map((file) => `import * as ${aliasOf(file)} from "./${file}.ts";\n`).join("")}
const V1 = [
${listed("v1")}] as const;

/** The endpoints of version 1 of the API, with their literal types. */
export type ApiEndpoint = (typeof V1)[number];

/** The endpoints of the API host, in the order of /openapi.json. */
export const API: readonly Endpoint[] = [
  ...V1,
${listed("current")}];

/** The endpoints of the web host. */
export const WEB: readonly Endpoint[] = [
${listed("oauth")}];
`;
}

function routesOf(exported: readonly Export[], folder: string): string {
  const found = exported.filter(({ value }) => areRoutes([value].flat()));
  const listed = found.map(({ name, value }) => `  ${Array.isArray(value) ? "..." : ""}${name},\n`);
  return `import type { Route } from "${relative(folder, "src/http/route/route.ts")}";
${importsOf(found)}
/** The routes that the files of this folder declare. */
export const ROUTES: readonly Route[] = [
${listed.join("")}];
`;
}

function toolsOf(exported: readonly Export[]): string {
  const found = exported.filter(({ value }) => isTool(value));
  const folders = Object.entries(Object.groupBy(found, ({ file }) => dirname(file)));
  const listed = folders.map(
    ([folder, of = []]) => `  ${folder}: [\n${of.map(({ name }) => `    ${name},\n`).join("")}  ],\n`,
  );
  return `${importsOf(found)}
/** The tools by their folder. */
export const TOOLS_IN = {
${listed.join("")}};
`;
}

const importsOf = (found: readonly Export[]): string =>
  Object.entries(Object.groupBy(found, ({ file }) => file))
    .map(([file, of = []]) => `import { ${of.map(({ name }) => name).join(", ")} } from "./${file}.ts";\n`)
    .join("");

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
const isEndpoint = (found: Export): found is Export<Endpoint> =>
  isObject(found.value) && "url" in found.value && "answers" in found.value;
const areRoutes = (values: readonly unknown[]): boolean =>
  values.length > 0 && values.every((value) => isObject(value) && "url" in value && "handle" in value);
const isTool = (value: unknown): boolean => isObject(value) && "needs" in value && "shownInput" in value;

/** The name of a file's exports: `leads` for leads/leads, `leadsBulk` for leads/bulk. */
const aliasOf = (file: string): string =>
  [...new Set(file.split("/"))].join("-").replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Compares endpoints by their chapter, and those of one chapter by URL and method. */
function inOrder(a: Export<Endpoint>, b: Export<Endpoint>): number {
  return (
    chapterOf(a).localeCompare(chapterOf(b), "en") ||
    a.value.url.localeCompare(b.value.url, "en") ||
    METHODS.indexOf(a.value.method) - METHODS.indexOf(b.value.method)
  );
}

/** A text that sorts like the endpoint's chapter; endpoints without a version stand in the order of their nouns. */
function chapterOf({ file, value: { refusals, tag } }: Export<Endpoint>): string {
  const hasVersion = refusals !== "current";
  const name = hasVersion ? tag.name : (file.split("/")[0] ?? "");
  const rank = CHAPTERS.includes(name) ? CHAPTERS.indexOf(name) : CHAPTERS.length;
  return `${hasVersion ? "a" : "b"} ${String(rank).padStart(3, "0")} ${name}`;
}

if (import.meta.main) for await (const { path, text } of lists()) writeFileSync(path, text);
