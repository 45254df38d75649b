import type { FillableField } from "../../contract/imports/import.ts";
import { memberOperation } from "../operation/operation.ts";
import { CUSTOM } from "../values/value.ts";
import { ImportId } from "./get-import.ts";
import { IMPORTS, importDoor } from "./import-door.ts";
import { lockImport } from "./import-record.ts";
import { openTarget } from "./mapping/open-target.ts";
import { ROW_ID } from "./mapping/rows-target.ts";

/**
 * Returns what the columns of an import's file can fill: fields of leads, also those that its commit creates, or
 * columns of its dataset.
 */
export const listImportFields = memberOperation({
  name: "imports.fields",
  ...IMPORTS,
  input: ImportId,
  async run(context, { id }): Promise<FillableField[]> {
    const { db } = await importDoor(context, id);
    const { projectId } = context.caller;
    return await db.transaction(async (tx) => {
      const { dataset, mapping } = await lockImport(tx, projectId, id);
      const { fields } = await openTarget(tx, projectId, { columns: {} }, dataset);
      for (const [key, { type, options = [] }] of Object.entries(mapping?.fields ?? {}))
        if (!fields.has(CUSTOM + key)) fields.set(CUSTOM + key, { type, options });
      const own = dataset === null ? [{ name: "id", type: "text" as const, options: [] }] : [];
      const all = [...fields].map(([name, { type, options }]) => ({ name, type, options }));
      // the id identifies existing rows and is applied last
      const named = all.filter(({ name }) => name !== ROW_ID);
      return [...named, ...own, ...all.filter(({ name }) => name === ROW_ID)];
    });
  },
});
