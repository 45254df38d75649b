import { createHash } from "node:crypto";
import type { ImportQuestion } from "../../../contract/imports/import-question.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import type { Doubts, FileShape } from "../file/shape/import-file.ts";
import type { Answers } from "./propose.ts";

/** The same for files with the same columns. */
export const shapeKeyOf = ({ format, header }: FileShape): string =>
  createHash("sha256")
    .update(JSON.stringify([format === "xlsx" ? "csv" : format, header]))
    .digest("hex")
    .slice(0, 32);

const REMEMBERED = `SELECT id, answers, coalesce(asked, '[]') AS asked FROM import
  WHERE project_id = $1 AND shape_key = $2 AND dataset_id IS NOT DISTINCT FROM $3 AND answers <> '{}' AND id <> $4
  ORDER BY id DESC LIMIT 1`;

interface Last {
  id: string;
  answers: Answers;
  asked: Pick<ImportQuestion, "id" | "default">[];
}

/** Returns the answers that were given for the last file with the same columns, with the import where they were. */
export async function rememberedAnswers(
  db: Pick<Queryable, "query">,
  { projectId, id, dataset }: { projectId: string; id: string; dataset: string | null },
  { shape, doubts }: { shape: FileShape; doubts: Doubts },
): Promise<Answers> {
  const key = shapeKeyOf(shape);
  const [last] = await db.query<Last>(REMEMBERED, [projectId, key, dataset, id]);
  const { answers = {}, asked = [] } = last ?? {};
  const fits = fitting(doubts, asked);
  return Object.fromEntries(
    Object.entries(answers).flatMap(([question, { choice, from }]) =>
      (fits[question]?.(choice) ?? true) ? [[question, { choice, from: from ?? last?.id }]] : [],
    ),
  );
}

/** Whether an answer about reading fits a file: it asks the same, and its header was found in the same row. */
const fitting = (
  { encodings, headers, footer }: Doubts,
  asked: Last["asked"],
): Readonly<Record<string, (choice: string) => boolean>> => ({
  encoding: (choice) => encodings?.readings.some(({ encoding }) => encoding === choice) === true,
  header_row: () =>
    asked.some(({ id, default: usual }) => id === "header_row" && usual === String(headers?.[0]?.line)),
  "rows:footer": () => footer !== undefined,
});
