import assert from "node:assert/strict";
import type { Permission } from "../../../src/core/permission.ts";
import type { KeyActor, World } from "../../world.ts";

export type Row = Record<string, unknown> & { _id: string; _version: number };
export interface Dataset {
  id: string;
  key: string;
  version: number;
  columns: Record<string, unknown>[];
  [field: string]: unknown;
}

const ALL: readonly Permission[] = ["leads:read", "leads:write", "datasets:read", "datasets:write"];

export const keeper = (the: World, projectId = the.project.id): Promise<KeyActor> => the.key(ALL, projectId);

/** Returns the JSON of a response, which must have the expected status. */
export async function bodyOf<T>(response: Response, status = 200): Promise<T> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

export const COMPANIES = {
  key: "companies",
  name: "Companies",
  columns: [
    { key: "domain", type: "text" },
    { key: "name", label: "Company name", type: "text", required: true },
    { key: "employees", type: "integer" },
    { key: "revenue", type: "number" },
    { key: "active", type: "boolean" },
    { key: "founded", type: "date" },
    { key: "seen", type: "datetime" },
    { key: "contact", type: "email" },
    { key: "phone", type: "phone" },
    { key: "site", type: "url" },
    { key: "tier", type: "enum", options: ["gold", "silver"] },
    { key: "facts", type: "json" },
  ],
  key_column: "domain",
  lead_link: { column: "contact", match: "email" },
};

export const make = async (key: KeyActor, definition: object = COMPANIES): Promise<Dataset> =>
  await bodyOf<Dataset>(await key.send("POST", "/api/v1/datasets", definition), 201);

export const write = (
  key: KeyActor,
  rows: unknown[],
  mode = "insert",
  name = "companies",
): Promise<Response> => key.send("POST", `/api/datasets/${name}/rows/`, { rows, mode });

export interface Written {
  results: { index: number; id: string; outcome: string; version: number }[];
  created: number;
  updated: number;
  unchanged: number;
}

export const written = async (
  key: KeyActor,
  rows: unknown[],
  mode = "insert",
  name = "companies",
): Promise<Written> => await bodyOf<Written>(await write(key, rows, mode, name));

export interface RowPage {
  rows: Row[];
  page_info: Record<string, unknown>;
}

export const found = async (key: KeyActor, query: object = {}, name = "companies"): Promise<RowPage> =>
  await bodyOf<RowPage>(await key.send("POST", `/api/datasets/${name}/query/`, query));

/** Returns the errors of the rows of a call: index, column and code of each. */
export async function errorsOf(response: Response): Promise<unknown[][]> {
  const body = await bodyOf<{ detail: string; code: string; errors: Record<string, unknown>[] }>(
    response,
    422,
  );
  assert.deepEqual(Object.keys(body).sort(), ["code", "detail", "errors"]);
  return body.errors.map(({ index, column, code }) => [index, column, code]);
}
