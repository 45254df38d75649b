import { Type } from "typebox";
import { FileReading } from "../../contract/imports/import-file.ts";
import { findDataset } from "../datasets/definition/dataset.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { bad } from "../values/bad-input.ts";
import { choicesFor } from "./file/import-file.ts";
import { inspectFile } from "./file/inspect-file.ts";
import { storedPieces } from "./file/keep-pieces.ts";
import { ImportId } from "./get-import.ts";
import { IMPORTS, importDoor } from "./import-door.ts";
import { type ImportRow, lockImport, mustBe, mustHaveFile, shownImport } from "./import-record.ts";
import { keepInspection } from "./mapping/keep-inspection.ts";
import { knownPreset, PresetText } from "./mapping/presets.ts";
import { mayCreateFields } from "./schema-door.ts";

/**
 * Re-reads an uploaded file with other options and detects its shape and mapping again; omitted options are
 * detected. Of a spreadsheet only the header can differ; another sheet requires another upload. Returns the import
 * as JSON text.
 */
export const rereadImport = memberOperation({
  name: "imports.reread",
  ...IMPORTS,
  input: Type.Object(
    { ...ImportId.properties, ...FileReading.properties, preset: PresetText },
    { additionalProperties: false },
  ),
  async run(context, { id, preset, ...wanted }): Promise<ImportRow> {
    await checked(context, () => knownPreset(preset));
    const { db } = await importDoor(context, id, "own");
    const { projectId } = context.caller;
    const stored = await db.transaction((tx) => lockImport(tx, projectId, id));
    mustHaveFile(stored);
    mustBe(stored, "ready");
    const sheet = stored.shape.format === "xlsx";
    if (!sheet && wanted.format === "xlsx") bad("$.format", "not_a_sheet", "the file is not a spreadsheet");
    const dataset = stored.dataset === null ? null : await findDataset(db, projectId, stored.dataset);
    if (dataset !== null && preset !== undefined)
      bad("$.preset", "unexpected", "is not allowed for a dataset");
    const how = choicesFor(wanted, { sheet, whole: dataset !== null });
    const found = await inspectFile(storedPieces(db, projectId, id), how);
    if (sheet)
      Object.assign(found.shape, { format: "xlsx", sheet: stored.shape.sheet, sheets: stored.shape.sheets });
    const mayCreate = dataset === null && (await mayCreateFields(context));
    return await db.transaction(async (tx) => {
      const locked = await lockImport(tx, projectId, id);
      mustHaveFile(locked);
      mustBe(locked, "ready");
      await keepInspection(tx, { projectId, id, size: null, dataset, mayCreate }, found, { preset });
      return await shownImport(tx, context.caller, id);
    });
  },
});
