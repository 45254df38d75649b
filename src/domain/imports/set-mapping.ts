import { Type } from "typebox";
import { ImportMapping } from "../../contract/imports/import-mapping.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { ImportId } from "./get-import.ts";
import { IMPORTS, importDoor } from "./import-door.ts";
import { type ImportRow, lockImport, mustBe, mustHaveFile, shownImport } from "./import-record.ts";
import { lostIn, planColumns } from "./mapping/column-plan.ts";
import { questionsOf } from "./mapping/column-style.ts";
import { checkTexts } from "./mapping/mapping.ts";
import { openTarget } from "./mapping/open-target.ts";
import { rowReader } from "./mapping/row-reader.ts";

const SET = `UPDATE import SET mapping = $3, questions = $4, skipped_columns = $5, dry_run = NULL WHERE project_id = $1 AND id = $2`;

/**
 * Sets how the columns of a file become fields; `questions` in the record lists what is still open. Missing custom
 * fields are created by the commit. Returns the import as JSON text.
 */
export const setMapping = memberOperation({
  name: "imports.map",
  ...IMPORTS,
  input: Type.Object(
    { ...ImportId.properties, ...ImportMapping.properties },
    { additionalProperties: false },
  ),
  async run(context, { id, ...mapping }): Promise<ImportRow> {
    await checked(context, () => checkTexts(mapping));
    const { db } = await importDoor(context, id, "own");
    const { caller } = context;
    return await db.transaction(async (tx) => {
      const stored = await lockImport(tx, caller.projectId, id);
      mustHaveFile(stored);
      mustBe(stored, "ready");
      const { columns, shape, dataset } = stored;
      const target = await openTarget(tx, caller.projectId, mapping, dataset);
      rowReader(null, planColumns(columns, mapping, target, shape.format), mapping, target);
      const questions = questionsOf(columns, mapping, target);
      const kept = [mapping, questions, lostIn(columns, mapping)].map((each) => JSON.stringify(each));
      await tx.query(SET, [caller.projectId, id, ...kept]);
      return await shownImport(tx, caller, id);
    });
  },
});
