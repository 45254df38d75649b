import assert from "node:assert/strict";
import { API } from "../../../src/contract/all.ts";
import type { Endpoint } from "../../../src/contract/basics/endpoint.ts";
import type { Permission } from "../../../src/core/permission.ts";
import type { Ids } from "./two-projects.ts";

/** How to call an endpoint in a project. */
export interface Call {
  /** The permission that is needed; without it, any is enough. */
  needs?: Permission;
  /** A permission that is needed besides. */
  also?: Permission;
  path(ids: Ids): string;
  body?(ids: Ids): object;
  /** A CSV file, sent instead of JSON. */
  file?: string;
  /** Whether the response contains the project's mark. */
  shows?: true | "perhaps";
  /** The status for ids that do not exist or belong to another project; 404 by default. */
  missing?: number;
}

const read = { needs: "leads:read" as const };
const write = { needs: "leads:write" as const };
const both = { ...write, also: "leads:read" as const };
const at =
  (path: string) =>
  (ids: Ids): string =>
    path.replace(/\{(\w+)\}/g, (_, name: keyof Ids) => ids[name]);
const schema = { needs: "schema:write" as const };
const readRows = { needs: "datasets:read" as const };
const importRows = { needs: "datasets:import" as const };
const writeRows = { needs: "datasets:write" as const };
const all = { filter: { and: [] } };
const own = (ids: Ids) => ({ project_id: ids.project });

/** An endpoint without a version, with and without a trailing slash. */
const slashed = (name: string, call: Call): Record<string, Call> => ({
  [name]: call,
  [`${name}/`]: { ...call, path: (ids) => `${call.path(ids)}/` },
});

/** Calls of endpoints, by their name in OpenAPI, that the contract alone does not tell: of which things, or with which body. */
const OWN: Record<string, Call> = {
  "POST /api/leads/query/": { ...read, path: at("/api/leads/query/"), body: own, shows: true, missing: 403 },
  "POST /api/leads/query": { ...read, path: at("/api/leads/query"), body: own, shows: true, missing: 403 },
  "POST /api/leads/export/": {
    ...read,
    path: at("/api/leads/export/"),
    body: own,
    shows: true,
    missing: 403,
  },
  "POST /api/leads/export": { ...read, path: at("/api/leads/export"), body: own, shows: true, missing: 403 },
  "GET /api/leads/{id}/": { ...read, path: at("/api/leads/{lead}/"), shows: true },
  "GET /api/leads/{id}": { ...read, path: at("/api/leads/{lead}"), shows: true },
  "GET /api/leads/{id}/timeline/": { ...read, path: at("/api/leads/{lead}/timeline/"), shows: true },
  "GET /api/leads/{id}/timeline": { ...read, path: at("/api/leads/{lead}/timeline"), shows: true },

  "POST /api/v1/leads": { ...write, path: at("/api/v1/leads"), body: () => ({ name: "Ana" }) },
  "GET /api/v1/leads/{id}": { ...read, path: at("/api/v1/leads/{lead}"), shows: true },
  "PATCH /api/v1/leads/{id}": { ...write, path: at("/api/v1/leads/{lead}"), body: () => ({ score: 1 }) },
  "POST /api/v1/leads/{id}/restore": { ...write, path: at("/api/v1/leads/{deleted}/restore") },
  "PUT /api/v1/leads/upsert": {
    ...{ ...write, path: at("/api/v1/leads/upsert") },
    body: () => ({ lead: { email: "new@example.org" } }),
  },
  "POST /api/v1/leads/bulk": {
    ...{ ...write, path: at("/api/v1/leads/bulk"), missing: 200 },
    body: ({ lead }) => ({ op: "update", items: [{ id: lead, score: 1 }] }),
  },
  "POST /api/v1/leads/search": { ...read, path: at("/api/v1/leads/search"), body: () => all, shows: true },
  "POST /api/v1/leads/count": { ...read, path: at("/api/v1/leads/count"), body: () => all },
  "POST /api/v1/leads/aggregate": {
    ...{ ...read, path: at("/api/v1/leads/aggregate"), shows: true },
    body: () => ({ group_by: [{ field: "company" }] }),
  },
  "POST /api/v1/leads/response-times": {
    ...{ ...read, path: at("/api/v1/leads/response-times"), shows: true },
    body: () => ({ group_by: [{ field: "company" }] }),
  },
  "GET /api/v1/leads/fields": { ...read, path: at("/api/v1/leads/fields"), shows: true },
  "POST /api/v1/leads/filters/validate": {
    ...{ ...read, path: at("/api/v1/leads/filters/validate"), missing: 200, shows: true },
    body: ({ view }) => ({ filter: { view } }),
  },
  "GET /api/v1/leads/{id}/events": { ...read, path: at("/api/v1/leads/{lead}/events"), shows: true },
  "POST /api/v1/leads/{id}/events": {
    ...{ ...write, path: at("/api/v1/leads/{lead}/events") },
    body: () => ({ type: "call.made" }),
  },
  "POST /api/v1/events/batch": {
    ...{ ...write, path: at("/api/v1/events/batch"), missing: 200 },
    body: ({ lead }) => ({ events: [{ lead_id: lead, type: "call.made" }] }),
  },
  "GET /api/v1/events": { ...read, path: at("/api/v1/events?snapshot=true"), shows: true },
  "GET /api/v1/events/stream": { ...read, path: at("/api/v1/events/stream") },
  "POST /api/v1/sync": { ...read, path: at("/api/v1/sync"), body: () => ({}), shows: true },
  "GET /api/v1/leads/duplicates": { ...read, path: at("/api/v1/leads/duplicates?by=email") },
  "GET /api/v1/leads/{id}/duplicates": { ...read, path: at("/api/v1/leads/{lead}/duplicates"), shows: true },
  "POST /api/v1/leads/{id}/merge": {
    ...{ ...write, path: at("/api/v1/leads/{lead}/merge") },
    body: ({ other }) => ({ with: other }),
  },
  "POST /api/v1/merges/{id}/undo": { ...write, path: at("/api/v1/merges/{merge}/undo") },

  "GET /api/v1/self": { path: at("/api/v1/self"), shows: true },

  "GET /api/v1/changes": { ...read, path: at("/api/v1/changes"), shows: true },
  "GET /api/v1/changes/{id}": { ...read, path: at("/api/v1/changes/{change}"), shows: true },
  "POST /api/v1/changes/undo": {
    ...{ ...write, path: at("/api/v1/changes/undo"), missing: 200 },
    body: () => ({ actor: "me", from: "2100-01-01" }),
  },
  "POST /api/v1/changes/{id}/undo": {
    ...{ ...write, path: at("/api/v1/changes/{change}/undo") },
    body: () => ({ dry_run: true }),
  },

  "POST /api/v1/people/erase": {
    ...{ needs: "leads:erase", path: at("/api/v1/people/erase"), missing: 200 },
    body: () => ({ email: "nobody@example.org", expected_leads: 0 }),
  },
  "POST /api/v1/people/export": {
    ...{ ...read, path: at("/api/v1/people/export"), missing: 200 },
    body: () => ({ email: "nobody@example.org" }),
  },
  "GET /api/v1/exports": { ...read, path: at("/api/v1/exports"), shows: true },
  "POST /api/v1/exports": { ...read, path: at("/api/v1/exports"), body: () => all },
  "GET /api/v1/exports/{id}": { ...read, path: at("/api/v1/exports/{export}"), shows: true },
  "GET /api/v1/exports/{id}/file": { ...read, path: at("/api/v1/exports/{export}/file"), shows: true },
  "POST /api/v1/exports/{id}/cancel": { ...read, path: at("/api/v1/exports/{export}/cancel") },

  "POST /api/v1/imports": {
    ...write,
    path: at("/api/v1/imports"),
    file: "Name,Email\nAna,ana@example.org\n",
  },
  "GET /api/v1/imports": { ...write, path: at("/api/v1/imports"), shows: true },
  "GET /api/v1/imports/{id}": { ...write, path: at("/api/v1/imports/{import}"), shows: true },
  "GET /api/v1/imports/{id}/errors": { ...write, path: at("/api/v1/imports/{import}/errors"), shows: true },
  "GET /api/v1/imports/{id}/errors.csv": {
    ...{ ...write, path: at("/api/v1/imports/{import}/errors.csv"), shows: true },
  },
  "GET /api/v1/imports/{id}/successful.csv": {
    ...{ ...both, path: at("/api/v1/imports/{import}/successful.csv"), shows: true },
  },
  "GET /api/v1/imports/{id}/unprocessed.csv": {
    ...{ ...both, path: at("/api/v1/imports/{import}/unprocessed.csv") },
  },
  "GET /api/v1/imports/{id}/errors/kinds": {
    ...{ ...write, path: at("/api/v1/imports/{import}/errors/kinds") },
  },
  "GET /api/v1/imports/{id}/fields": { ...write, path: at("/api/v1/imports/{import}/fields") },
  "PUT /api/v1/imports/{id}/file": {
    ...{ ...write, path: at("/api/v1/imports/{import}/file") },
    body: () => ({ header: true }),
  },
  "GET /api/v1/imports/{id}/kept": { ...both, path: at("/api/v1/imports/{import}/kept") },
  "PUT /api/v1/imports/{id}/mapping": {
    ...{ ...write, path: at("/api/v1/imports/{import}/mapping") },
    body: () => ({ columns: { Name: { field: "name" } } }),
  },
  "PUT /api/v1/imports/{id}/answers": {
    ...{ ...write, path: at("/api/v1/imports/{import}/answers") },
    body: () => ({ "opt_out:none": "ignore" }),
  },
  "POST /api/v1/imports/{id}/dry-run": { ...both, path: at("/api/v1/imports/{import}/dry-run") },
  "POST /api/v1/imports/{id}/commit": { ...write, path: at("/api/v1/imports/{import}/commit") },
  "POST /api/v1/imports/{id}/cancel": { ...write, path: at("/api/v1/imports/{import}/cancel") },
  "POST /api/v1/imports/{id}/undo": { ...write, path: at("/api/v1/imports/{import}/undo") },

  ...slashed("GET /api/datasets", { ...readRows, path: at("/api/datasets"), shows: true }),
  ...slashed("GET /api/datasets/{id}", { ...readRows, path: at("/api/datasets/{dataset}"), shows: true }),
  ...slashed("POST /api/datasets/{id}/query", {
    ...{ ...readRows, path: at("/api/datasets/{dataset}/query"), body: () => all, shows: true },
  }),
  ...slashed("POST /api/datasets/{id}/rows", {
    ...{ ...writeRows, path: at("/api/datasets/{dataset}/rows") },
    body: () => ({ rows: [{ domain: "new.example.org" }] }),
  }),
  ...slashed("DELETE /api/datasets/{id}/rows", {
    ...{ ...writeRows, path: at("/api/datasets/{dataset}/rows") },
    body: ({ row }) => ({ ids: [row] }),
  }),
  ...slashed("POST /api/datasets/{id}/import", {
    ...{ ...importRows, path: at("/api/datasets/{dataset}/import") },
    file: "domain\nimported.example.org\n",
  }),
  ...slashed("GET /api/datasets/{id}/imports/{import}", {
    ...{ ...importRows, path: at("/api/datasets/{dataset}/imports/{rowImport}"), shows: true },
  }),
  "GET /api/v1/datasets": { ...readRows, path: at("/api/v1/datasets"), shows: true },
  "POST /api/v1/datasets": {
    ...{ ...writeRows, path: at("/api/v1/datasets") },
    body: () => ({ key: "fresh", columns: [{ key: "a", type: "text" }] }),
  },
  "GET /api/v1/datasets/{id}": { ...readRows, path: at("/api/v1/datasets/{dataset}"), shows: true },
  "PATCH /api/v1/datasets/{id}": {
    ...{ ...writeRows, path: at("/api/v1/datasets/{dataset}") },
    body: () => ({ name: "Other" }),
  },
  "GET /api/v1/datasets/{id}/rows": { ...readRows, path: at("/api/v1/datasets/{dataset}/rows"), shows: true },
  "POST /api/v1/datasets/{id}/query": {
    ...{ ...readRows, path: at("/api/v1/datasets/{dataset}/query"), body: () => all, shows: true },
  },
  "POST /api/v1/datasets/{id}/rows": {
    ...{ ...writeRows, path: at("/api/v1/datasets/{dataset}/rows") },
    body: () => ({ domain: "newer.example.org" }),
  },
  "POST /api/v1/datasets/{id}/rows/batch": {
    ...{ ...writeRows, path: at("/api/v1/datasets/{dataset}/rows/batch") },
    body: () => ({ rows: [{ domain: "newest.example.org" }] }),
  },
  "DELETE /api/v1/datasets/{id}/rows": {
    ...{ ...writeRows, path: at("/api/v1/datasets/{dataset}/rows") },
    body: ({ row }) => ({ ids: [row] }),
  },
  "GET /api/v1/datasets/{id}/rows/{row}": {
    ...{ ...readRows, path: at("/api/v1/datasets/{dataset}/rows/{row}"), shows: true },
  },
  "PATCH /api/v1/datasets/{id}/rows/{row}": {
    ...{ ...writeRows, path: at("/api/v1/datasets/{dataset}/rows/{row}") },
    body: () => ({ domain: "other.example.org" }),
  },

  "GET /api/v1/fields": { ...read, path: at("/api/v1/fields"), shows: true },
  "POST /api/v1/fields": {
    ...{ ...schema, path: at("/api/v1/fields") },
    body: () => ({ key: "fresh", label: "Fresh", type: "text" }),
  },
  "GET /api/v1/fields/{key}": { ...read, path: at("/api/v1/fields/{field}"), shows: true },
  "PATCH /api/v1/fields/{key}": {
    ...{ ...schema, path: at("/api/v1/fields/{field}") },
    body: () => ({ label: "Other" }),
  },
  "DELETE /api/v1/fields/{key}": { ...schema, path: at("/api/v1/fields/{field}?force=true") },
  "GET /api/v1/statuses": { ...read, path: at("/api/v1/statuses"), shows: true },
  "PUT /api/v1/statuses": {
    ...{ ...schema, path: at("/api/v1/statuses") },
    body: () => ({ statuses: ["one", "two"] }),
  },
  "PUT /api/v1/quiet-fields": {
    ...{ ...schema, path: at("/api/v1/quiet-fields") },
    body: () => ({ fields: ["score"] }),
  },
  "GET /api/v1/views": { ...read, path: at("/api/v1/views"), shows: true },
  "POST /api/v1/views": {
    ...{ ...both, path: at("/api/v1/views") },
    body: ({ view }) => ({ name: "Mine", query: { filter: { view } } }),
    missing: 400,
  },
  "GET /api/v1/views/{id}": { ...read, path: at("/api/v1/views/{view}"), shows: true },
  "PATCH /api/v1/views/{id}": { ...both, path: at("/api/v1/views/{view}"), body: () => ({ name: "Other" }) },
};

/** Returns the call of an endpoint that its description tells: with things that its URL names, and its first example. */
function described({ method, url, needs, body, examples }: Endpoint): Call {
  const [way = assert.fail(`${url} needs no permission`)] = [needs ?? []].flat();
  const [first, also] = [way].flat();
  const example = Object.values(examples ?? {})[0] as object | undefined;
  assert.equal(
    body === undefined,
    example === undefined,
    `${method} ${url} needs a call in endpoint-calls.ts`,
  );
  return {
    needs: first as Permission,
    ...(also === undefined ? {} : { also }),
    path: (ids) =>
      url.replace(/(\w+)s\/\{\w+\}/g, (part, noun: string) => {
        const id = ids[noun as keyof Ids] ?? assert.fail(`two-projects.ts makes no ${noun}, for ${url}`);
        return part.replace(/\{\w+\}/, id);
      }),
    ...(example === undefined ? {} : { body: () => example }),
    ...(method === "GET" ? { shows: "perhaps" } : {}),
  };
}

/** A call of every endpoint for API keys, by its name in OpenAPI. */
export const CALLS: Readonly<Record<string, Call>> = {
  ...OWN,
  ...Object.fromEntries(
    API.map((endpoint) => [`${endpoint.method} ${endpoint.url}`, endpoint] as const)
      .filter(([name]) => !(name in OWN))
      .map(([name, endpoint]) => [name, described(endpoint)]),
  ),
};

/** Whether a call contains an id of its project. */
export function names(call: Call, one: Ids, two: Ids): boolean {
  const said = (ids: Ids) => JSON.stringify([call.path(ids), call.body?.(ids)]);
  return said(one) !== said(two);
}

/** Calls whose bodies refer to things of a project that the endpoint's usual call does not. */
export const REFERENCES: Record<string, Omit<Call, "needs">> = {
  "a view in a query": {
    path: at("/api/v1/leads/search"),
    body: ({ view }) => ({ filter: { view } }),
    missing: 400,
  },
  "a view in an export": {
    path: at("/api/v1/exports"),
    body: ({ view }) => ({ filter: { view } }),
    missing: 400,
  },
  "a view in a count": {
    path: at("/api/v1/leads/count"),
    body: ({ view }) => ({ filter: { view } }),
    missing: 400,
  },
  "a view in figures": {
    path: at("/api/v1/leads/aggregate"),
    body: ({ view }) => ({ group_by: [{ field: "status" }], filter: { view } }),
    missing: 400,
  },
  "a view in a bulk change": {
    path: at("/api/v1/leads/bulk"),
    body: ({ view }) => ({ op: "delete", filter: { view }, expected_count: 0 }),
    missing: 400,
  },
  "leads of a bulk deletion": {
    path: at("/api/v1/leads/bulk"),
    body: ({ lead, deleted, merged }) => ({
      op: "delete",
      items: [lead, deleted, merged].map((id) => ({ id })),
    }),
    missing: 200,
  },
  "leads of a bulk restoring": {
    path: at("/api/v1/leads/bulk"),
    body: ({ lead, deleted, merged }) => ({
      op: "restore",
      items: [lead, deleted, merged].map((id) => ({ id })),
    }),
    missing: 200,
  },
  "a custom field in a filter": {
    path: at("/api/v1/leads/search"),
    body: ({ field }) => ({ filter: { field: `custom.${field}`, op: "is_empty" } }),
    missing: 400,
  },
  "a custom field in a sort": {
    path: at("/api/v1/leads/search"),
    body: ({ field }) => ({ sort: [{ field: `custom.${field}` }] }),
    missing: 400,
  },
  "a custom field of a new lead": {
    path: at("/api/v1/leads"),
    body: ({ field }) => ({ custom: { [field]: "x" } }),
    missing: 422,
  },
  "an owner": { path: at("/api/v1/leads"), body: ({ person }) => ({ owner_id: person }), missing: 422 },
  "a dataset in a filter": {
    path: at("/api/v1/leads/search"),
    body: ({ dataset }) => ({ filter: { dataset: { key: dataset } } }),
    missing: 400,
  },
  "a dataset's imports": { path: at("/api/v1/imports?dataset={dataset}") },
  "an import into a dataset": { path: at("/api/v1/imports/{rowImport}") },
  "its failed rows": { path: at("/api/v1/imports/{rowImport}/errors") },
  "what its undo left": { path: at("/api/v1/imports/{rowImport}/kept") },
  "a lead that was merged": { path: at("/api/v1/leads/{merged}"), missing: 404 },
  "a deleted lead": { path: at("/api/v1/leads/{deleted}"), missing: 404 },
};
