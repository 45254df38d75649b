import { setTimeout as sleep } from "node:timers/promises";
import { LEAD_FIELDS } from "../../../src/contract/lists/lead-fields.ts";
import { WRITABLE } from "../../../src/contract/lists/written-fields.ts";
import { newId } from "../../../src/core/id.ts";
import type { KeyActor, World } from "../../world.ts";
import { bodyOf } from "./v1.ts";

/** The id of one thing of each kind in a project. */
export interface Ids {
  project: string;
  person: string;
  lead: string;
  /** A second lead, and one that was merged into the first. */
  other: string;
  merged: string;
  deleted: string;
  merge: string;
  /** A change of `other`. */
  change: string;
  field: string;
  view: string;
  export: string;
  job: string;
  import: string;
  rowImport: string;
  dataset: string;
  row: string;
}

/** A project in which every string contains the same mark. */
export interface Side {
  mark: string;
  ids: Ids;
  key: KeyActor;
  /** A cursor of its search. */
  cursor: string;
}

export const FULL = [
  "leads:read",
  "leads:write",
  "leads:erase",
  "schema:write",
  "datasets:read",
  "datasets:write",
  "datasets:import",
] as const;

/** Returns well-formed ids that do not exist. */
export const nobody = (): Ids => ({
  project: newId("prj"),
  person: newId("per"),
  lead: newId("lead"),
  other: newId("lead"),
  merged: newId("lead"),
  deleted: newId("lead"),
  merge: newId("mrg"),
  change: newId("chg"),
  field: "field_of_nobody",
  view: newId("view"),
  export: newId("exp"),
  job: newId("job"),
  import: newId("imp"),
  rowImport: newId("imp"),
  dataset: newId("ds"),
  row: newId("row"),
});

/** Fills a project through the API with one of everything, each marked wherever it holds a string. */
export async function filled(the: World, name: string): Promise<Side> {
  const mark = `mark${name}${Math.random().toString(36).slice(2, 10)}`;
  const owner = await the.newPerson(mark);
  const { id: project } = await the.newProject(owner, mark);
  await the.sql("UPDATE store.project SET slug = $2, statuses = ARRAY['new', $2] WHERE project_id = $1", [
    project,
    mark,
  ]);
  const key = await the.key(FULL, project);
  await the.sql("UPDATE store.api_key SET name = $2 WHERE project_id = $1", [project, mark]);
  const field = `field_of_${name}`;
  const send = <T>(method: string, path: string, body?: object, status = 201): Promise<T> =>
    key.send(method, `/api/v1/${path}`, body).then((answer) => bodyOf<T>(answer, status));
  await send("POST", "fields", { key: field, label: mark, type: "enum", options: [mark], description: mark });
  const make = async (n: number) =>
    (await send<{ id: string }>("POST", "leads", { ...marked(mark, n), custom: { [field]: mark } })).id;
  const [lead, other, merged, deleted] = [await make(1), await make(2), await make(3), await make(4)];
  await the.sql("UPDATE store.lead SET import_id = $2 WHERE project_id = $1", [project, mark]);
  await send("POST", `leads/${lead}/events`, {
    ...{ type: `call.${mark}`, title: mark, source: mark, external_id: mark, data: { [mark]: mark } },
  });
  const merging = { with: merged };
  const { merge_id: merge } = await send<{ merge_id: string }>(
    ...(["POST", `leads/${lead}/merge`, merging, 200] as const),
  );
  await key.send("DELETE", `/api/v1/leads/${deleted}`);
  const changed = await key.send("PATCH", `/api/v1/leads/${other}`, { city: `${mark} city` });
  await changed.text();
  const change = changed.headers.get("x-leadgate-change") ?? "";
  const query = { filter: { field: "name", op: "contains", value: mark }, search: mark };
  const { id: view } = await send<{ id: string }>("POST", "views", { name: mark, query });
  const { id: exported } = await send<{ id: string }>("POST", "exports", query, 202);
  for (let state = ""; state !== "done"; await sleep(20))
    ({ state } = await send<{ state: string }>("GET", `exports/${exported}`, undefined, 200));
  const job = newId("job");
  const asked = { op: "tag_add", filter: { field: "name", op: "contains", value: mark }, tags: [mark] };
  const actor = { type: "key", id: mark, label: mark };
  await the.sql(
    `INSERT INTO store.job (project_id, id, kind, state, input, actor, credential, total)
     VALUES ($1, $2, 'bulk', 'done', $3, $4, $5, 1)`,
    [project, job, asked, actor, { [mark]: mark }],
  );
  const imported = await importedFile(the, key, mark);
  const { id: dataset } = await send<{ id: string }>("POST", "datasets", {
    ...{ key: `companies_of_${name}`, name: mark, key_column: "domain" },
    columns: [{ key: "domain", label: mark, type: "text" }],
    lead_link: { column: "domain", match: "external_id" },
  });
  const { _id: row } = await send<{ _id: string }>("POST", `datasets/${dataset}/rows`, { domain: mark });
  const rowImport = await importedRows(the, key, mark, dataset);
  // A job ends shortly after its import.
  const working = "SELECT FROM store.job WHERE project_id = $1 AND state IN ('waiting', 'running')";
  while ((await the.sql(working, [project])).length > 0) await sleep(20);
  const page = { limit: 1 };
  const { next_cursor: cursor } = await send<{ next_cursor: string }>("POST", "leads/search", page, 200);
  const ids = { project, person: owner.id, lead, other, merged, deleted, merge, change, field, view, job };
  return { mark, key, cursor, ids: { ...ids, export: exported, import: imported, rowImport, dataset, row } };
}

/** Imports a file with a valid row and an invalid one. */
async function importedFile(the: World, key: KeyActor, mark: string): Promise<string> {
  const sent = await fetch(`${the.baseUrl}/api/v1/imports?file_name=${mark}.csv`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "text/csv" },
    body: `Name,Email\n${mark},${mark}@example.com\n${mark},${mark} is no address\n`,
  });
  const { id } = await bodyOf<{ id: string }>(sent, 201);
  await bodyOf(await key.send("POST", `/api/v1/imports/${id}/commit`), 202);
  for (let state = ""; state !== "done"; await sleep(20))
    ({ state } = await bodyOf<{ state: string }>(await key.send("GET", `/api/v1/imports/${id}`)));
  return id;
}

/** Imports a file with a row of the dataset. */
async function importedRows(the: World, key: KeyActor, mark: string, dataset: string): Promise<string> {
  const sent = await fetch(`${the.baseUrl}/api/datasets/${dataset}/import/?file_name=${mark}.csv`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key.text}`, "Content-Type": "text/csv" },
    body: `domain\n${mark}\nimported-${mark}\n`,
  });
  const { id } = await bodyOf<{ id: string }>(sent, 202);
  for (let state = ""; state !== "done"; await sleep(20))
    ({ state } = await bodyOf<{ state: string }>(await key.send("GET", `/api/v1/imports/${id}`)));
  return id;
}

/** Returns a lead with the mark in every string, and with identities that the other project's leads share. */
function marked(mark: string, n: number): Record<string, unknown> {
  const texts = LEAD_FIELDS.filter(({ name }) => WRITABLE.get(name) === "text").map(({ name }) => name);
  return {
    ...Object.fromEntries(texts.map((name) => [name, mark])),
    external_id: `same-${n}`,
    email: `same-${n}@example.org`,
    emails: [`${mark}@example.org`],
    phone: `+55 11 90000-000${n}`,
    status: mark,
    tags: [mark],
    website: `https://${mark}.example.org`,
    landing_page: `https://${mark}.example.org`,
  };
}
