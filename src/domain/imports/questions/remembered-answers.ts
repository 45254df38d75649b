import { createHash } from "node:crypto";
import type { Transaction } from "../../../db/pool/database.ts";
import type { FileShape } from "../file/shape/import-file.ts";
import type { Answers } from "./propose.ts";

/** The same for files with the same columns. */
export const shapeKeyOf = ({ format, header }: FileShape): string =>
  createHash("sha256")
    .update(JSON.stringify([format === "xlsx" ? "csv" : format, header]))
    .digest("hex")
    .slice(0, 32);

const REMEMBERED = `SELECT id, answers FROM import
  WHERE project_id = $1 AND shape_key = $2 AND dataset_id IS NOT DISTINCT FROM $3 AND answers <> '{}' AND id <> $4
  ORDER BY id DESC LIMIT 1`;

/** Returns the answers that were given for the last file with the same columns, with the import where they were. */
export async function rememberedAnswers(
  tx: Pick<Transaction, "query">,
  {
    projectId,
    id,
    dataset,
    shapeKey,
  }: { projectId: string; id: string; dataset: string | null; shapeKey: string },
): Promise<Answers> {
  const [last] = await tx.query<{ id: string; answers: Answers }>(REMEMBERED, [
    projectId,
    shapeKey,
    dataset,
    id,
  ]);
  return Object.fromEntries(
    Object.entries(last?.answers ?? {}).map(([question, { choice, from }]) => [
      question,
      { choice, from: from ?? last?.id },
    ]),
  );
}
