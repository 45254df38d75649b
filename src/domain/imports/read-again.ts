import type { ProjectDb } from "../../db/pool/database.ts";
import type { Dataset } from "../datasets/definition/dataset.ts";
import { type Inspection, inspectFile } from "./file/inspect-file.ts";
import { storedPieces } from "./file/keep-pieces.ts";
import { choicesFor, type Doubts, type FileChoices, type FileShape } from "./file/shape/import-file.ts";
import { knownNames } from "./mapping/known-names.ts";

interface StoredFile {
  projectId: string;
  id: string;
  /** Of a spreadsheet: what was read of it. */
  sheet: Pick<FileShape, "sheet" | "sheets"> | undefined;
  dataset: Dataset | null;
}

/** Inspects a stored file with other choices. What the first reading left in doubt stays so: a choice is no evidence. */
export async function readAgain(
  db: ProjectDb,
  { projectId, id, sheet, dataset }: StoredFile,
  choices: FileChoices,
  former: Doubts = {},
): Promise<Inspection> {
  const how = choicesFor(choices, { sheet: sheet !== undefined, whole: dataset !== null });
  const found = await inspectFile(
    storedPieces(db, projectId, id),
    how,
    knownNames(dataset?.columns),
    sheet !== undefined,
  );
  if (sheet !== undefined) Object.assign(found.shape, { format: "xlsx", ...sheet });
  return { ...found, doubts: { ...found.doubts, ...former } };
}

/** The sheet of a spreadsheet that was read; undefined for other files. */
export const sheetOf = ({ format, sheet, sheets }: FileShape): StoredFile["sheet"] =>
  format === "xlsx"
    ? { ...(sheet === undefined ? {} : { sheet }), ...(sheets === undefined ? {} : { sheets }) }
    : undefined;
