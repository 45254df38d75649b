import { Type } from "typebox";
import { notFound } from "../../core/refusal.ts";
import { findDataset } from "../datasets/definition/dataset.ts";
import { DatasetName } from "../datasets/definition/dataset-input.ts";
import { memberOperation } from "../operation/operation.ts";
import { IMPORTS, importDoor, knownForm } from "./import-door.ts";
import { type ImportRow, oneImport } from "./import-record.ts";

/** The input of operations on one import. */
export const ImportId = Type.Object(
  { id: Type.String({ description: "The import's id, such as imp_01k3…" }) },
  { additionalProperties: false },
);

/** Returns an import as JSON text: its file, mapping, progress and counts. */
export const getImport = memberOperation({
  name: "imports.get",
  lane: "keyed",
  ...IMPORTS,
  input: ImportId,
  async run(context, { id }): Promise<string> {
    const { db } = await importDoor(context, id);
    const { text, values } = oneImport(context.caller, id);
    const [row] = await db.query<ImportRow>(text, values, { prepare: true });
    if (row === undefined) throw notFound("import");
    return row.json;
  },
});

/** Returns an import into a dataset as JSON text. */
export const getRowImport = memberOperation({
  name: "datasets.imports.get",
  lane: "keyed",
  needs: "datasets:import",
  limit: "datasetReads",
  input: Type.Object({ dataset: DatasetName, ...ImportId.properties }, { additionalProperties: false }),
  async run(context, { dataset: name, id }): Promise<string> {
    await knownForm(context, id);
    const { db, caller } = context;
    const dataset = await findDataset(db, caller.projectId, name);
    const { text, values } = oneImport(caller, id, dataset.id);
    const [row] = await db.query<ImportRow>(text, values, { prepare: true });
    if (row === undefined) throw notFound("import");
    return row.json;
  },
});
