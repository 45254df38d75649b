import { Type } from "typebox";
import { ImportMapping } from "../../contract/imports/import-mapping.ts";
import { findDataset } from "../datasets/definition/dataset.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { ImportId } from "./get-import.ts";
import { IMPORTS, importDoor } from "./import-door.ts";
import { type ImportRow, lockImport, mustBe, mustHaveFile, shownImport } from "./import-record.ts";
import { planColumns } from "./mapping/column-plan.ts";
import { checkTexts } from "./mapping/mapping.ts";
import { openTarget } from "./mapping/open-target.ts";
import { rowReader } from "./mapping/row-reader.ts";
import { saidBy } from "./questions/given-mapping.ts";
import { factsOf, keepProposal } from "./questions/keep-proposal.ts";
import { mayCreateFields } from "./schema-door.ts";

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
    const mayCreate = await mayCreateFields(context);
    return await db.transaction(async (tx) => {
      const stored = await lockImport(tx, caller.projectId, id);
      mustHaveFile(stored);
      mustBe(stored, "ready");
      const { columns, shape } = stored;
      const dataset =
        stored.dataset === null ? null : await findDataset(tx, caller.projectId, stored.dataset);
      const target = await openTarget(tx, caller.projectId, mapping, stored.dataset);
      rowReader(null, planColumns(columns, mapping, target, shape.format), mapping, target);
      const said = saidBy(mapping, stored);
      await keepProposal(tx, {
        ...{ projectId: caller.projectId, id, dataset, mayCreate, facts: factsOf(stored) },
        ...said,
      });
      return await shownImport(tx, caller, id);
    });
  },
});
