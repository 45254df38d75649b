import { type Static, Type } from "typebox";
import { findDataset } from "../datasets/definition/dataset.ts";
import { DatasetName } from "../datasets/definition/dataset-input.ts";
import { type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import { checked, type MemberContext, memberOperation } from "../operation/operation.ts";
import { Parameters } from "../sql/parameters.ts";
import { type ImportRow, importRecords } from "./import-record.ts";

export const PAGE = {
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
  cursor: Type.Optional(Type.String({ maxLength: 1_000, description: "next_cursor of the previous page." })),
};

const ImportList = Type.Object(PAGE, { additionalProperties: false });

/** A page; `json` is the text of the array. */
export interface JsonPage {
  json: string;
  nextCursor: string | null;
}

/** Returns the project's imports of leads, newest first. */
export const listImports = memberOperation({
  name: "imports.list",
  needs: "leads:write",
  input: ImportList,
  run: (context, input) => page(context, input, null),
});

/** Returns the imports into a dataset, newest first. */
export const listRowImports = memberOperation({
  name: "datasets.imports.list",
  needs: "datasets:import",
  limit: "datasetReads",
  input: Type.Object({ dataset: DatasetName, ...PAGE }, { additionalProperties: false }),
  async run(context, { dataset, ...input }): Promise<JsonPage> {
    const { db, caller } = context;
    return await page(context, input, (await findDataset(db, caller.projectId, dataset)).id);
  },
});

async function page(
  context: MemberContext,
  { limit = 50, cursor }: Static<typeof ImportList>,
  dataset: string | null,
): Promise<JsonPage> {
  const { service, db, caller } = context;
  const binding: CursorBinding = [caller.projectId, "imports.list", ...(dataset === null ? [] : [dataset])];
  const before = await checked(context, () =>
    cursor === undefined ? null : readCursor<string>(service, binding, cursor),
  );
  const parameters = new Parameters();
  const which = dataset === null ? "dataset_id IS NULL" : `dataset_id = ${parameters.text(dataset)}`;
  const older = before === null ? "" : `AND id < ${parameters.text(before)}`;
  const found = `SELECT * FROM import WHERE project_id = ${parameters.text(caller.projectId)} AND state <> 'uploading'
    AND ${which} ${older} ORDER BY id DESC LIMIT ${parameters.add(limit + 1)}::integer`;
  const text = importRecords(caller, parameters, found);
  const rows = await db.query<ImportRow>(text, parameters.values, { prepare: true });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1)?.id : undefined;
  return {
    json: `[${shown.map(({ json }) => json).join(",")}]`,
    nextCursor: last === undefined ? null : writeCursor(service, binding, last),
  };
}
