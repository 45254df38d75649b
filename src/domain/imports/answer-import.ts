import { isDeepStrictEqual } from "node:util";
import { type Static, Type } from "typebox";
import { ImportAnswers } from "../../contract/imports/import-question.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { findDataset } from "../datasets/definition/dataset.ts";
import { type MemberContext, memberOperation } from "../operation/operation.ts";
import { ImportId } from "./get-import.ts";
import { IMPORTS, importDoor } from "./import-door.ts";
import {
  type ImportRow,
  lockImport,
  mustBe,
  mustHaveFile,
  type StoredImport,
  shownImport,
} from "./import-record.ts";
import { factsOf, keepProposal } from "./questions/keep-proposal.ts";
import { mustBeAsked } from "./questions/open-questions.ts";
import type { Answers } from "./questions/propose.ts";
import { choicesOf, otherReading } from "./questions/reading-choices.ts";
import { readAgain, sheetOf } from "./read-again.ts";
import { keepReading } from "./reread-import.ts";
import { mayCreateFields } from "./schema-door.ts";

/**
 * Answers questions of an import, which changes its mapping, and how its file is read. Answers that were given before stay.
 * Returns the import as JSON text.
 */
export const answerImport = memberOperation({
  name: "imports.answer",
  ...IMPORTS,
  input: Type.Object({ ...ImportId.properties, answers: ImportAnswers }, { additionalProperties: false }),
  async run(context, { id, answers: given }): Promise<ImportRow> {
    const { db } = await importDoor(context, id, "own");
    for (;;) {
      const done = await answerOnce(context, db, id, given);
      // Somebody else answered meanwhile: the file must be read as both say.
      if (done !== undefined) return done;
    }
  },
});

async function answerOnce(
  context: MemberContext,
  db: ProjectDb,
  id: string,
  given: Static<typeof ImportAnswers>,
): Promise<ImportRow | undefined> {
  const { projectId } = context.caller;
  const stored = await db.transaction((tx) => lockImport(tx, projectId, id));
  const answers = answered(stored, given);
  const said = stored.said ?? { choices: {} };
  const dataset = stored.dataset === null ? null : await findDataset(db, projectId, stored.dataset);
  const facts = factsOf(stored);
  const other = otherReading(choicesOf(said.choices, answers), { ...facts, shape: stored.shape });
  const file = { projectId, id, sheet: sheetOf(stored.shape), dataset };
  const found = other === undefined ? undefined : await readAgain(db, file, other, facts.doubts);
  const mayCreate = dataset === null && (await mayCreateFields(context));
  return await db.transaction(async (tx) => {
    const locked = await lockImport(tx, projectId, id);
    if (!isDeepStrictEqual([answered(locked, given), locked.said], [answers, stored.said])) return undefined;
    if (found !== undefined) await keepReading(tx, { projectId, id }, found);
    const { columns, doubts, kinds } = { ...facts, ...found };
    await keepProposal(tx, {
      ...{ projectId, id, dataset, mayCreate, answers, said },
      facts: { columns, doubts, kinds: kinds ?? null },
    });
    return await shownImport(tx, context.caller, id);
  });
}

/** Checks answers against the questions of an import; returns them with those that were given before. */
function answered(stored: StoredImport, given: Static<typeof ImportAnswers>): Answers {
  mustHaveFile(stored);
  mustBe(stored, "ready");
  mustBeAsked(stored.questions, given);
  const fresh = Object.entries(given).map(([id, choice]) => [id, { choice }] as const);
  return { ...stored.answers, ...Object.fromEntries(fresh) };
}
