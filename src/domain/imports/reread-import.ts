import { Type } from "typebox";
import { FileReading } from "../../contract/imports/import-file.ts";
import type { Transaction } from "../../db/pool/database.ts";
import { findDataset } from "../datasets/definition/dataset.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { bad } from "../values/bad-input.ts";
import type { Inspection } from "./file/inspect-file.ts";
import { readChoices } from "./file/shape/import-file.ts";
import { ImportId } from "./get-import.ts";
import { IMPORTS, importDoor } from "./import-door.ts";
import { type ImportRow, lockImport, mustBe, mustHaveFile, shownImport } from "./import-record.ts";
import { knownPreset, PresetText } from "./mapping/presets.ts";
import { keepProposal } from "./questions/keep-proposal.ts";
import type { Answers } from "./questions/propose.ts";
import { OF_READING } from "./questions/reading-choices.ts";
import { readAgain, sheetOf } from "./read-again.ts";
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
    const choices = readChoices(wanted);
    const stored = await db.transaction((tx) => lockImport(tx, projectId, id));
    mustHaveFile(stored);
    mustBe(stored, "ready");
    const sheet = sheetOf(stored.shape);
    if (sheet === undefined && wanted.format === "xlsx")
      bad("$.format", "not_a_sheet", "the file is not a spreadsheet");
    const dataset = stored.dataset === null ? null : await findDataset(db, projectId, stored.dataset);
    if (dataset !== null && preset !== undefined)
      bad("$.preset", "unexpected", "is not allowed for a dataset");
    const found = await readAgain(db, { projectId, id, sheet, dataset }, choices);
    const mayCreate = dataset === null && (await mayCreateFields(context));
    return await db.transaction(async (tx) => {
      const locked = await lockImport(tx, projectId, id);
      mustHaveFile(locked);
      mustBe(locked, "ready");
      await keepReading(tx, { projectId, id }, found);
      const { columns, doubts, kinds } = found;
      await keepProposal(tx, {
        ...{ projectId, id, dataset, mayCreate, answers: answersBeyond(locked.answers) },
        ...{
          facts: { columns, doubts, kinds: kinds ?? null },
          said: preset === undefined ? { choices } : { preset, choices },
        },
      });
      return await shownImport(tx, context.caller, id);
    });
  },
});

const KEEP = `UPDATE import SET state = 'ready', shape = $3, records = $4, bytes = coalesce($5, bytes) WHERE project_id = $1 AND id = $2`;

/** Stores how a file was read. */
export async function keepReading(
  tx: Transaction,
  { projectId, id, size = null }: { projectId: string; id: string; size?: number | null },
  { shape, records }: Inspection,
): Promise<void> {
  await tx.query(KEEP, [projectId, id, JSON.stringify(shape), records, size]);
}

/** The answers that do not say how the file is read. */
const answersBeyond = (answers: Answers): Answers =>
  Object.fromEntries(Object.entries(answers).filter(([id]) => !OF_READING.has(id)));
