/*
 * The file of a route, from its URL:
 * 1. Replace the start of the URL with a folder of src/surfaces: the first row of FOLDERS that fits (`/` counts as `/start`).
 * 2. Leave out parameters (`:id`), a slash at the end and a file extension.
 * 3. In pages/, which is flat, leave out all names before the last one that is a page's folder.
 * 4. The route is in the file that the longest start of what remains leads to: `<path>.ts`, or `<path>/page.ts`.
 *
 * POST /api/v1/leads/bulk → api/v1/leads/bulk.ts, PATCH /api/v1/leads/:id → api/v1/leads.ts,
 * POST /projects/:project/settings/members/invite → pages/members/page.ts
 */
import assert from "node:assert/strict";
import { existsSync, globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { test } from "node:test";
import { lists } from "../packaging/lists.ts";
import { API, WEB } from "../src/contract/all.ts";
import { SCREENS } from "../src/core/panel.ts";
import { type Route, routerUrl } from "../src/http/route/route.ts";
import { api } from "../src/surfaces/api/current/surface.ts";
import { v1 } from "../src/surfaces/api/v1/surface.ts";
import { LEADS } from "../src/surfaces/mcp/registry-of-leads.ts";
import { mcpSurface } from "../src/surfaces/mcp/surface.ts";
import { authorization, oauth } from "../src/surfaces/oauth/surface.ts";
import { pages } from "../src/surfaces/pages/surface.ts";
import { panelApi, panelPages } from "../src/surfaces/panel/surface.ts";

const FOLDERS: ReadonlyArray<readonly [start: string, folder: string]> = [
  ["/api/v1/", "api/v1/"],
  ["/api/oauth/", "oauth/endpoints/"],
  ["/api/well-known/", "oauth/endpoints/well-known/"],
  ["/.well-known/security.txt", "pages/well-known/"],
  ["/.well-known/change-password", "pages/well-known/"],
  ["/.well-known/", "oauth/endpoints/well-known/"],
  ["/api/", "api/current/"],
  ["/oauth/", "oauth/authorize/"],
  ["/mcp", "mcp/surface/"],
  ["/panel/api/:project/v1/", "api/v1/"],
  ["/panel/api/:project/", "api/current/"],
  ["/panel/api/", "panel/"],
  ["/panel/", "panel/"],
  ...SCREENS.map((screen) => [`/projects/:project/${screen}`, "panel/shell/"] as const),
  ["/", "pages/"],
];

const ROOT = "src/surfaces/";
const isFile = (path: string): boolean => existsSync(ROOT + path);

/** Returns the file under src/surfaces that declares the routes of a URL; undefined if there is none. */
function fileOf(url: string): string | undefined {
  const path = url === "/" ? "/start" : url;
  const [start, folder] = FOLDERS.find(([prefix]) => path.startsWith(prefix)) ?? ["", ""];
  const names = (folder + path.slice(start.length))
    .split("/")
    .filter((name) => name !== "" && !name.startsWith(":"))
    .map((name) => name.replace(/\.\w+$/, ""));
  if (folder === "pages/") {
    const last = names.findLastIndex((name) => isFile(`pages/${name}/page.ts`));
    if (last > 0) names.splice(1, last - 1);
  }
  return names
    .map((_, index) => names.slice(0, names.length - index).join("/"))
    .flatMap((beginning) => [`${beginning}.ts`, `${beginning}/page.ts`])
    .find(isFile);
}

const nameOf = ({ method, url }: Pick<Route, "method" | "url">): string => `${method} ${url}`;

/** Returns every route with the files that declare it: those that export it, alone or in a list. */
async function declarations(): Promise<Map<Route, string[]>> {
  const files = new Map<Route, string[]>();
  for (const path of globSync(`${ROOT}**/*.ts`).sort()) {
    if (path.endsWith("/all.ts")) continue;
    const exported = Object.values((await import(resolve(path))) as object).flat() as unknown[];
    for (const route of exported.filter(isRoute))
      files.set(route, [...(files.get(route) ?? []), path.slice(ROOT.length)]);
  }
  return files;
}

const isRoute = (value: unknown): value is Route =>
  typeof value === "object" && value !== null && "url" in value && "method" in value && "handle" in value;

/** MCP's surface makes its routes for a registry, so no file exports them. */
const mcp = mcpSurface(LEADS).routes;
const apiRoutes = [...v1.routes, ...api.routes];
const panelRoutes = panelApi(apiRoutes, v1.dialect).routes;
const exportedRoutes = [oauth, authorization, panelPages(pages.dialect), pages, v1, api]
  .flatMap(({ routes }) => routes)
  .concat(panelRoutes.filter(({ url }) => !url.startsWith("/panel/api/:project/")));

test("the URL of a route leads to the one file that declares it", async () => {
  const files = await declarations();
  const wrong = exportedRoutes.flatMap((route) => {
    const [file, found] = [fileOf(route.url), files.get(route) ?? []];
    return found.length === 1 && found[0] === file
      ? []
      : [`${nameOf(route)} is in ${found.join(" and ")} instead of ${file}`];
  });
  assert.deepEqual(wrong, []);
  assert.ok(exportedRoutes.length > 150, String(exportedRoutes.length));
});

test("every route that a file declares belongs to a surface", async () => {
  const known = new Set(exportedRoutes);
  assert.deepEqual([...(await declarations()).keys()].filter((route) => !known.has(route)).map(nameOf), []);
});

test("the panel's URL of an API route leads to the file of the API route", () => {
  const ofProject = panelRoutes.filter(({ url }) => url.startsWith("/panel/api/:project/"));
  assert.deepEqual(
    ofProject.map(({ method, url }) => `${method} ${fileOf(url)}`),
    apiRoutes.map(({ method, url }) => `${method} ${fileOf(url)}`),
  );
});

test("the routes of MCP are in the file of its surface", () => {
  assert.deepEqual(new Set(mcp.map(({ url }) => fileOf(url))), new Set(["mcp/surface.ts"]));
});

test("each endpoint of the contract has its route, and each route of the API its endpoint", () => {
  const described = [...API, ...WEB].flatMap(({ method, url }) =>
    [...new Set([url, url.replace(/\/$/, "")])].map((each) => `${method} ${routerUrl(each)}`),
  );
  const served = [...apiRoutes, ...oauth.routes].filter(({ endpoint }) => endpoint !== undefined);
  assert.deepEqual(served.map(nameOf).sort(), described.sort());
  assert.deepEqual(apiRoutes.filter(({ endpoint }) => endpoint === undefined).map(nameOf), []);
});

test("endpoints, routes and tools are registered by their place: each all.ts is what npm run fix writes", async () => {
  for await (const { path, text } of lists()) assert.equal(readFileSync(path, "utf8"), text, path);
});

test("no two endpoints have one id, and an id reads as a method", () => {
  const ids = [...API, ...WEB].map(({ id }) => id);
  assert.deepEqual(
    ids.filter((id, i) => ids.indexOf(id) !== i),
    [],
  );
  assert.deepEqual(
    ids.filter((id) => !/^[a-z][A-Za-z]*(\.[a-z][A-Za-z]*)+$/.test(id)),
    [],
  );
});
