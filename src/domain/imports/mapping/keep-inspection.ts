import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Dataset } from "../../datasets/definition/dataset.ts";
import { shownProfile } from "../file/column-profile.ts";
import type { Inspection } from "../file/inspect-file.ts";
import { lostIn } from "./column-plan.ts";
import { questionsOf } from "./column-style.ts";
import { guessMapping } from "./guess-mapping.ts";
import { guessRowMapping } from "./guess-row-mapping.ts";
import type { ImportTarget } from "./import-target.ts";
import { openTarget } from "./open-target.ts";

const READY = `UPDATE import SET state = 'ready', bytes = coalesce($3, bytes), shape = $4, columns = $5, records = $6, preset = $7,
    mapping = $8, questions = $9, skipped_columns = $10, dry_run = NULL
  WHERE project_id = $1 AND id = $2`;

/** The sender's options besides those for reading the file. */
export interface Given {
  preset?: string | undefined;
  mapping?: ImportMapping | undefined;
  mode?: ImportMapping["mode"] | undefined;
  dates?: ImportMapping["dates"] | undefined;
  decimals?: ImportMapping["decimals"] | undefined;
}

/** Stores what was found in an import's file, with a guessed mapping if none was given; the import is then ready. */
export async function keepInspection(
  tx: Transaction,
  of: { projectId: string; id: string; size: number | null; dataset: Dataset | null; mayCreate: boolean },
  { shape, columns, records }: Inspection,
  { preset: declared, mapping: own, ...said }: Given,
): Promise<{ mapping: ImportMapping; target: ImportTarget }> {
  const { projectId, id, size, dataset, mayCreate } = of;
  const guess =
    dataset === null
      ? guessMapping(columns, await openTarget(tx, projectId, { columns: {} }), {
          preset: declared,
          mayCreate,
        })
      : { ...guessRowMapping(columns, dataset.columns), preset: null };
  const mapping: ImportMapping = { ...(own ?? guess.mapping), ...definedOf(said) };
  const target = await openTarget(tx, projectId, mapping, dataset?.id ?? null);
  if (target.rows !== null) mapping.mode = target.rows.mode;
  const questions = questionsOf(columns, mapping, target);
  const guessed = columns.map((column) => ({
    ...shownProfile(column),
    guess: guess.guesses.get(column.name),
  }));
  const json = [shape, guessed].map((each) => JSON.stringify(each));
  const { preset } = guess;
  const more = [preset && JSON.stringify(preset), JSON.stringify(mapping), JSON.stringify(questions)];
  const skipped = JSON.stringify(lostIn(columns, mapping));
  await tx.query(READY, [projectId, id, size, ...json, records, ...more, skipped]);
  return { mapping, target };
}

/** Only the options that were given. */
const definedOf = (said: Omit<Given, "preset" | "mapping">): Partial<ImportMapping> =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
