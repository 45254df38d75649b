import { Type } from "typebox";
import type { RowsDeleted } from "../../../contract/datasets/row.ts";
import { RowsToDelete } from "../../../contract/datasets/row-query.ts";
import { Refusal } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Change, newChange } from "../../changes/change.ts";
import { isFolded } from "../../fields/column.ts";
import { checked, type MemberContext, memberOperation, requiring } from "../../operation/operation.ts";
import { Parameters } from "../../sql/parameters.ts";
import { bad } from "../../values/bad-input.ts";
import { zoneUnknown } from "../../values/timezone.ts";
import { columnOf, type Dataset, findDataset } from "../definition/dataset.ts";
import { DatasetName } from "../definition/dataset-input.ts";
import { readCell } from "./cell.ts";
import { removeRows } from "./remove-rows.ts";
import { readingLeads, rowConditions } from "./rows-query.ts";

/** More rows would block other writers too long. */
const MOST = 10_000;

const KNOWN_KEYS = `SELECT given.name, u.row_id AS id FROM unnest($4::text[]) AS given (name) JOIN dataset_unique u
  ON u.project_id = $1 AND u.dataset_id = $2 AND u.slot = $3 AND u.value = unique_value(given.name, $5)`;

/** How many rows a filter finds tells what is in them. */
const READ_AND_WRITE = { any: ["datasets:write"], all: ["datasets:read"] } as const;

/** Deletes rows; an undo of the change brings them back. */
export const deleteRows = memberOperation({
  name: "datasets.rows.delete",
  needs: "datasets:write",
  limit: "datasetWrites",
  input: Type.Object({ dataset: DatasetName, ...RowsToDelete.properties }, { additionalProperties: false }),
  async run(asked, { dataset: name, ...input }): Promise<RowsDeleted> {
    const context =
      input.filter === undefined
        ? asked
        : readingLeads(requiring(asked, READ_AND_WRITE), READ_AND_WRITE, input);
    const { db, caller } = context;
    await checked(context, () => checkInput(input));
    return await db
      .transaction(async (tx) => {
        const dataset = await findDataset(tx, caller.projectId, name, "lock");
        const change = newChange(context, "row.delete", { about: { dataset_id: dataset.id } });
        if (input.ids !== undefined) return await byIds(tx, change, dataset, input.ids);
        if (input.keys !== undefined) return await byKeys(tx, change, dataset, input.keys);
        return await byFilter(tx, context, change, dataset, input);
      })
      .catch(zoneUnknown);
  },
});

function checkInput(input: RowsToDelete): void {
  const ways = (["ids", "keys", "filter"] as const).filter((key) => input[key] !== undefined);
  if (ways.length !== 1) bad("$", "one_of", "must have exactly one of ids, keys and filter");
  const byFilter = ways[0] === "filter";
  if (byFilter && input.expected_count === undefined)
    bad("$.expected_count", "required", "is required with a filter: the number of rows you expect to delete");
  for (const key of ["expected_count", "search", "timezone"] as const)
    if (!byFilter && input[key] !== undefined) bad(`$.${key}`, "unexpected", "is allowed only with a filter");
}

async function byIds(
  tx: Transaction,
  change: Change,
  { id }: Dataset,
  ids: readonly string[],
): Promise<RowsDeleted> {
  const parameters = new Parameters();
  const clean = parameters.texts(ids.filter((each) => /^[a-z0-9_]+$/.test(each)));
  const where = `r.id = ANY (${clean})`;
  const gone = new Set(await removeRows(tx, change, id, { parameters, where, most: ids.length }));
  return { deleted: gone.size, missing: ids.filter((each) => !gone.has(each)) };
}

async function byKeys(
  tx: Transaction,
  change: Change,
  dataset: Dataset,
  keys: readonly (string | number)[],
): Promise<RowsDeleted> {
  const column = columnOf(dataset, dataset.key_column);
  if (column === undefined)
    bad("$.keys", "no_key_column", "cannot be used because the dataset has no key column; use ids");
  const texts = keys.map((key) => {
    const reading = readCell(column, key, dataset, "text");
    return "value" in reading && reading.value !== null ? String(reading.value) : null;
  });
  const values = [change.by.projectId, dataset.id, column.slot, texts, isFolded(column)];
  const found = await tx.query<{ name: string; id: string }>(KNOWN_KEYS, values);
  const known = new Set(found.map(({ name }) => name));
  const parameters = new Parameters();
  const where = `r.id = ANY (${parameters.texts(found.map(({ id }) => id))})`;
  const gone = await removeRows(tx, change, dataset.id, { parameters, where, most: keys.length });
  return {
    deleted: gone.length,
    missing: keys.filter((_, i) => {
      const text = texts[i];
      return text === null || text === undefined || !known.has(text);
    }),
  };
}

async function byFilter(
  tx: Transaction,
  context: MemberContext,
  change: Change,
  dataset: Dataset,
  input: RowsToDelete,
): Promise<RowsDeleted> {
  const { expected_count: expected, ...selection } = input;
  const { scope, where: wanted } = rowConditions(context, dataset, selection);
  const gone = await removeRows(tx, change, dataset.id, {
    parameters: scope.parameters,
    where: `r.id IN (SELECT r.id FROM dataset_row r WHERE ${wanted} LIMIT ${MOST + 1})`,
    most: Math.min(expected ?? 0, MOST),
  });
  if (gone.length > MOST || gone.length !== expected) change.made = false;
  if (gone.length > MOST) {
    const message = `More than ${MOST.toLocaleString("en")} rows match. Narrow the filter and delete them in batches.`;
    throw new Refusal("unprocessable", "too_many_rows", message);
  }
  if (gone.length !== expected) {
    const message = `${gone.length} rows match the filter, not ${expected}. Check them again before you delete them.`;
    throw new Refusal("conflict", "count_changed", message, {
      faults: [{ path: "$.expected_count", code: "count_changed", message: String(gone.length) }],
    });
  }
  return { deleted: gone.length, missing: [] };
}
