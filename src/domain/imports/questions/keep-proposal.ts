import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { Dataset } from "../../datasets/definition/dataset.ts";
import { type ColumnProfile, shownProfile } from "../file/column-profile.ts";
import type { RowKind } from "../file/row-watch.ts";
import type { Doubts, FileChoices } from "../file/shape/import-file.ts";
import type { ImportTarget } from "../mapping/import-target.ts";
import { openTarget } from "../mapping/open-target.ts";
import { lostIn } from "../mapping/used-columns.ts";
import { type Answers, type Given, propose } from "./propose.ts";

/** What is kept of an inspected file, so that questions can be asked again without reading it. */
export interface KeptFacts {
  columns: ColumnProfile[];
  doubts: Doubts;
  kinds: RowKind[] | null;
}

/** Returns what is kept of a stored import's file; imports of former versions kept only the columns. */
export const factsOf = ({
  facts,
  columns,
}: {
  facts: KeptFacts | null;
  columns: ColumnProfile[] | null;
}): KeptFacts => facts ?? { columns: columns ?? [], doubts: {}, kinds: null };

/** What the sender declared: how the file is read, and what becomes of it. */
export interface Said extends Given {
  choices: FileChoices;
}

/** An import whose mapping is proposed. */
export interface Proposed {
  projectId: string;
  id: string;
  dataset: Dataset | null;
  facts: KeptFacts;
  said: Said;
  answers: Answers;
  mayCreate: boolean;
  takesDefaults?: boolean;
}

const KEEP = `UPDATE import SET columns = $3, preset = $4, mapping = $5, asked = $6, skipped_columns = $7, facts = $8, said = $9,
    answers = $10, questions = '[]', dry_run = NULL
  WHERE project_id = $1 AND id = $2`;

/** Proposes a mapping for a file and stores it with the questions that it leaves open. */
export async function keepProposal(
  tx: Transaction,
  { projectId, id, dataset, facts, said, answers, mayCreate, takesDefaults = false }: Proposed,
): Promise<{ mapping: ImportMapping; target: ImportTarget }> {
  const { columns, doubts, kinds } = facts;
  const { choices: _, ...given } = said;
  // The rules of a dataset need the mapping to be opened; its columns do not.
  const bare = await openTarget(tx, projectId, given.mapping ?? { columns: {} }, dataset?.id ?? null);
  const { mapping, preset, guesses, questions } = propose(
    { columns, doubts, kinds: kinds ?? undefined },
    { target: bare, dataset, given, answers, mayCreate, takesDefaults },
  );
  const target = await openTarget(tx, projectId, mapping, dataset?.id ?? null);
  if (target.rows !== null) mapping.mode = target.rows.mode;
  const guessed = columns.map((column) => ({ ...shownProfile(column), guess: guesses.get(column.name) }));
  const parts = [guessed, preset, mapping, questions, lostIn(columns, mapping), facts, said, answers];
  const json = parts.map((part) => (part === null ? null : JSON.stringify(part)));
  await tx.query(KEEP, [projectId, id, ...json]);
  return { mapping, target };
}
