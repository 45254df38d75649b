import { type Static, Type } from "typebox";
import { FileChoices as Choices, FileName, ofRows } from "../../contract/imports/import-file.ts";
import type { ImportMapping } from "../../contract/imports/import-mapping.ts";
import { newId } from "../../core/id.ts";
import { malformed, Refusal } from "../../core/refusal.ts";
import { type Dataset, findDataset } from "../datasets/definition/dataset.ts";
import { DatasetName } from "../datasets/definition/dataset-input.ts";
import { actorSql } from "../operation/actor.ts";
import { faultFinder } from "../operation/input-faults.ts";
import { checked, type MemberContext, memberOperation } from "../operation/operation.ts";
import { Parameters } from "../sql/parameters.ts";
import { roomSql } from "../sql/room.ts";
import { storable } from "../values/value.ts";
import type { Inspection } from "./file/inspect-file.ts";
import { beginning, inspectContent } from "./file/inspect-file.ts";
import { keepingPieces } from "./file/keep-pieces.ts";
import { readChoices } from "./file/shape/import-file.ts";
import { keepAlive } from "./file/upload-life.ts";
import { type ImportRow, shownImport } from "./import-record.ts";
import { planColumns } from "./mapping/column-plan.ts";
import { knownNames } from "./mapping/known-names.ts";
import { readMapping } from "./mapping/mapping.ts";
import { knownPreset, PresetText } from "./mapping/presets.ts";
import { keepProposal, type Said } from "./questions/keep-proposal.ts";
import { choicesOf, otherReading } from "./questions/reading-choices.ts";
import { rememberedAnswers, shapeKeyOf } from "./questions/remembered-answers.ts";
import { readAgain, sheetOf } from "./read-again.ts";
import { keepReading } from "./reread-import.ts";
import { mayCreateFields } from "./schema-door.ts";
import { commitAtOnce } from "./start-import-job.ts";

const MOST_BYTES = 512 * 1_048_576;
const MOST_SHEET_BYTES = 20 * 1_048_576;
/** The most files of a project that wait for a decision. */
const MOST_WAITING = 50;

const Upload = Type.Object(
  { ...Choices.properties, file_name: FileName, preset: PresetText },
  { additionalProperties: false },
);

/** The options of a file of dataset rows. */
const RowsUpload = Type.Object(
  { ...Choices.properties, file_name: FileName, ...ofRows },
  { additionalProperties: false },
);

/** A file during upload; its options are known after its first bytes. */
export interface SentFile {
  bytes: AsyncIterable<Buffer>;
  /** Whether the content type or the file name is a spreadsheet's; the first bytes are checked too. */
  isSheet: boolean;
  options: Static<typeof Upload> & Static<typeof RowsUpload>;
}

const faultsIn = faultFinder(Upload);
const rowFaultsIn = faultFinder(RowsUpload);

const BEGIN = (
  actor: string,
  parameters: Parameters,
  { projectId, id, name, dataset }: { projectId: string; id: string; name: string; dataset: string | null },
): string => {
  const project = parameters.text(projectId);
  const waiting = `import WHERE project_id = ${project} AND state IN ('uploading', 'ready', 'checking') AND expires_at > moment()`;
  return `WITH ${roomSql(waiting, MOST_WAITING)}, made AS (
      INSERT INTO import (project_id, id, file_name, state, actor, dataset_id, alive_at)
      SELECT ${project}, ${parameters.text(id)}, ${parameters.text(name)}, 'uploading', ${actor}, ${parameters.add(dataset)}::text, moment()
      FROM room RETURNING id
    ) SELECT id FROM made`;
};

/** The file is a stream, which no schema describes; its options are checked when they arrive. */
const Open = { open: Type.Unknown() };
const closed = { additionalProperties: false };

/** Stores a file of leads in pieces and inspects it while it is read. Returns the import as JSON text. */
export const uploadImport = memberOperation({
  name: "imports.upload",
  needs: "leads:write",
  input: Type.Object(Open, closed),
  async run(context, { open }): Promise<ImportRow> {
    await context.db.open();
    return await takeIn(context, open, { dataset: null, atOnce: false });
  },
});

/** The same for a file of dataset rows. */
export const uploadRows = memberOperation({
  name: "datasets.imports.upload",
  needs: "datasets:import",
  limit: "datasetImports",
  input: Type.Object({ dataset: DatasetName, ...Open }, closed),
  run: (context, input) => takeRowsIn(context, input, false),
});

/** Stores a file of dataset rows and starts writing them at once; if something must be declared, nothing is kept. */
export const importRows = memberOperation({
  name: "datasets.import",
  needs: "datasets:import",
  limit: "datasetImports",
  input: Type.Object({ dataset: DatasetName, ...Open }, closed),
  run: (context, input) => takeRowsIn(context, input, true),
});

async function takeRowsIn(
  context: MemberContext,
  { dataset: name, open }: { dataset: string; open: unknown },
  atOnce: boolean,
): Promise<ImportRow> {
  const dataset = await findDataset(context.db, context.caller.projectId, name);
  return await takeIn(context, open, { dataset, atOnce });
}

/** The dataset to fill, and whether to write as soon as the file is stored. */
interface Purpose {
  dataset: Dataset | null;
  atOnce: boolean;
}

async function takeIn(context: MemberContext, open: unknown, purpose: Purpose): Promise<ImportRow> {
  const { db, caller } = context;
  const { projectId } = caller;
  const { bytes, isSheet, options } = await (open as () => Promise<SentFile>)();
  const { dataset } = purpose;
  const faults = (dataset === null ? faultsIn : rowFaultsIn)(options);
  if (faults.length > 0) throw malformed(faults);
  const { file_name: name = isSheet ? "upload.xlsx" : "upload", preset, ...rest } = options;
  const { mapping, mode, dates, decimals, ...how } = rest;
  const given = { preset, mapping: readGiven(mapping), mode, dates, decimals };
  const choices = await checked(context, () => {
    knownPreset(preset);
    return readChoices(how);
  });
  const id = newId("imp");
  const parameters = new Parameters();
  const actor = actorSql(caller, parameters);
  const begin = BEGIN(actor, parameters, {
    projectId,
    id,
    name: storable(name),
    dataset: dataset?.id ?? null,
  });
  if ((await db.query(begin, parameters.values)).length === 0) {
    const text = `${MOST_WAITING} uploaded files are already waiting for a decision. Commit or cancel one.`;
    throw new Refusal("too_many", "too_many_imports", text, { retryAfter: 60 });
  }
  const end = keepAlive(db, projectId, id);
  try {
    const { isArchive, bytes: all } = await beginning(bytes);
    const sheet = isSheet || isArchive || choices.format === "xlsx";
    let size = 0;
    const counted = count(all, sheet ? MOST_SHEET_BYTES : MOST_BYTES, (length) => {
      size += length;
    });
    const through = (text: AsyncIterable<Buffer>) => keepingPieces(db, [projectId, id], text);
    const isKnown = knownNames(dataset?.columns);
    const found = await inspectContent(counted, choices, {
      sheet,
      whole: dataset !== null,
      through,
      isKnown,
    });
    return await finish(context, id, { found, size, said: { ...given, choices } }, purpose);
  } catch (error) {
    await db
      .query("DELETE FROM import WHERE project_id = $1 AND id = $2", [projectId, id])
      .catch(() => undefined);
    throw error;
  } finally {
    end();
  }
}

/** Reads the mapping that was sent with the file, as JSON. */
function readGiven(json: string | undefined): ImportMapping | undefined {
  if (json === undefined) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw malformed([{ path: "$.mapping", code: "not_json", message: "is not valid JSON" }]);
  }
  return readMapping(value);
}

async function* count(
  bytes: AsyncIterable<Buffer>,
  most: number,
  add: (length: number) => void,
): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    add(chunk.length);
    if (total > most) {
      const text = `The file is larger than ${most / 1_048_576} MB. Split it into smaller files.`;
      throw new Refusal("too_large", "too_large", text);
    }
    yield chunk;
  }
}

async function finish(
  context: MemberContext,
  id: string,
  { found: first, size, said }: { found: Inspection; size: number; said: Said },
  { dataset, atOnce }: Purpose,
): Promise<ImportRow> {
  const { db, caller } = context;
  const { projectId } = caller;
  const answers = await rememberedAnswers(db, { projectId, id, dataset: dataset?.id ?? null }, first);
  const other = otherReading(choicesOf(said.choices, answers), first);
  const file = { projectId, id, sheet: sheetOf(first.shape), dataset };
  const found = other === undefined ? first : await readAgain(db, file, other, first.doubts);
  const mayCreate = dataset === null && (await mayCreateFields(context));
  return await db.transaction(async (tx) => {
    await keepReading(tx, { projectId, id, size }, found);
    await tx.query(SHAPE_KEY, [projectId, id, shapeKeyOf(first.shape)]);
    const { shape, columns, doubts, kinds } = found;
    const { mapping, target } = await keepProposal(tx, {
      ...{ projectId, id, dataset, said, answers, mayCreate, takesDefaults: atOnce },
      facts: { columns, doubts, kinds: kinds ?? null },
    });
    if (!atOnce) return await shownImport(tx, caller, id);
    planColumns(columns, mapping, target, shape.format);
    return await commitAtOnce(tx, context, id);
  });
}

const SHAPE_KEY = "UPDATE import SET shape_key = $3 WHERE project_id = $1 AND id = $2";
