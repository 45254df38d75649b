import { Type } from "typebox";
import { isId } from "../../../core/id.ts";
import { notFound } from "../../../core/refusal.ts";
import type { Queryable, Transaction } from "../../../db/pool/database.ts";
import { newChange } from "../../changes/change.ts";
import { rowColumns } from "../../fields/row-field.ts";
import { maySql } from "../../operation/may-sql.ts";
import { type MemberContext, memberOperation } from "../../operation/operation.ts";
import { Parameters } from "../../sql/parameters.ts";
import type { Credential } from "../../tenancy/credential.ts";
import { isCurrent, Version } from "../../values/version.ts";
import { type Dataset, findDataset } from "../definition/dataset.ts";
import { DatasetName, stale } from "../definition/dataset-input.ts";
import { rowsRefusal } from "./refuse-rows.ts";
import { removeRows } from "./remove-rows.ts";
import { writeRows } from "./write-rows.ts";

const closed = { additionalProperties: false };
const RowId = Type.String({ description: "The row's id, such as row_01k3…" });
const named = { dataset: DatasetName, id: RowId };

/** A row as JSON text. */
export interface RowRecord {
  id: string;
  version: number;
  json: string;
}

/** What a caller sees of a row that it may write but not read. */
const UNREAD = ["_version", "_created_at", "_updated_at"];

/** Returns a row as JSON text, shortened for callers who may not read rows, so that writing reveals nothing. */
async function readRow(
  db: Pick<Queryable, "query">,
  caller: Credential,
  dataset: Dataset,
  id: string,
): Promise<RowRecord> {
  if (!isId("row", id)) throw notFound("row");
  const parameters = new Parameters();
  const project = parameters.text(caller.projectId);
  const mayReadLeads = () => maySql(caller, parameters, "leads:read");
  const json = (columns?: readonly string[]) =>
    `(SELECT row_to_json(shown)::text FROM (SELECT ${rowColumns(dataset, columns, mayReadLeads)}) AS shown)`;
  const text = `SELECT r.id, r.version,
      CASE WHEN ${maySql(caller, parameters, "datasets:read")} THEN ${json()} ELSE ${json(UNREAD)} END AS json
    FROM dataset_row r WHERE r.project_id = ${project}
      AND r.dataset_id = ${parameters.text(dataset.id)} AND r.id = ${parameters.text(id)}`;
  const [row] = await db.query<RowRecord>(text, parameters.values);
  if (row === undefined) throw notFound("row");
  return row;
}

/** Returns a row. */
export const getRow = memberOperation({
  name: "datasets.rows.get",
  lane: "keyed",
  needs: "datasets:read",
  limit: "datasetReads",
  input: Type.Object(named, closed),
  async run({ db, caller }, { dataset, id }): Promise<RowRecord> {
    return await readRow(db, caller, await findDataset(db, caller.projectId, dataset), id);
  },
});

/** Creates a row. */
export const createRow = memberOperation({
  name: "datasets.rows.create",
  needs: "datasets:write",
  limit: "datasetWrites",
  input: Type.Object({ dataset: DatasetName, row: Type.Unknown() }, closed),
  run: async (context, { dataset: name, row }): Promise<RowRecord> =>
    await context.db.transaction(async (tx) => {
      const dataset = await findDataset(tx, context.caller.projectId, name, "lock");
      return await writeOne(tx, context, dataset, row, "insert");
    }),
});

/** Changes a row by merge patch; with a `version`, refuses (412) unless it is the current one. */
export const updateRow = memberOperation({
  name: "datasets.rows.update",
  needs: "datasets:write",
  limit: "datasetWrites",
  input: Type.Object(
    { ...named, version: Type.Optional(Version), row: Type.Object({}, { additionalProperties: true }) },
    closed,
  ),
  run: async (context, { dataset: name, id, version, row }): Promise<RowRecord> =>
    await context.db.transaction(async (tx) => {
      const dataset = await lockedFor(tx, context.caller, name, id, version);
      return await writeOne(tx, context, dataset, { ...row, _id: id }, "update");
    }),
});

/** Deletes a row; an undo of the change brings it back. */
export const deleteRow = memberOperation({
  name: "datasets.rows.delete_one",
  needs: "datasets:write",
  limit: "datasetWrites",
  input: Type.Object({ ...named, version: Type.Optional(Version) }, closed),
  run: async (context, { dataset: name, id, version }): Promise<void> =>
    await context.db.transaction(async (tx) => {
      const { id: datasetId } = await lockedFor(tx, context.caller, name, id, version);
      const parameters = new Parameters();
      const where = `r.id = ${parameters.text(id)}`;
      const change = newChange(context, "row.delete", { about: { dataset_id: datasetId } });
      await removeRows(tx, change, datasetId, { parameters, where, most: 1 });
    }),
});

/** Locks and returns the dataset of an existing row; checks the row's version if given. */
async function lockedFor(
  tx: Transaction,
  caller: Credential,
  name: string,
  id: string,
  version: Version | undefined,
): Promise<Dataset> {
  const dataset = await findDataset(tx, caller.projectId, name, "lock");
  const row = await readRow(tx, caller, dataset, id);
  if (!isCurrent(version, row.version)) throw stale("row", row.version);
  return dataset;
}

async function writeOne(
  tx: Transaction,
  context: MemberContext,
  dataset: Dataset,
  row: unknown,
  mode: "insert" | "update",
): Promise<RowRecord> {
  const { caller } = context;
  const change = newChange(context, "row.write", { about: { dataset_id: dataset.id } });
  const how = { mode, as: "json", whole: true, change } as const;
  const [written] = await writeRows(tx, caller.projectId, dataset, [row], how);
  if (written === undefined || written.id === null || written.faults.length > 0)
    throw await rowsRefusal(tx, caller, [{ path: "$", faults: written?.faults ?? [] }], mode);
  return await readRow(tx, caller, dataset, written.id);
}
