import { LEAD_FIELDS } from "../../contract/lists/lead-fields.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import type { Column } from "../fields/column.ts";
import { columnSql } from "../fields/lead-field.ts";
import type { FoundSubject } from "./find-subject.ts";
import { historyOf, mentionsOf } from "./forget-mentions.ts";
import { linksOf, personalDatasets } from "./forget-rows.ts";
import { keptOfRows, rowsInChanges, searchChanges } from "./rows-in-changes.ts";
import { keptImports, recordsOfSubject } from "./scan-imports.ts";
import type { Subject } from "./subject.ts";
import type { ZippedFile } from "./zip.ts";

/** What is read at once. An event's data may be long. */
const BATCH = 500;
const EVENTS_AT_ONCE = 200;

const EVENT = `id, lead_id, type, occurred_at, recorded_at, source, actor, title, data, external_id, merged_from`;

const LEADS = `SELECT id AS place, row_to_json(shown)::text AS json
  FROM (SELECT ${LEAD_FIELDS.map(({ name }) => columnSql(name)).join(", ")}, merged_into_id FROM lead
    WHERE project_id = $1 AND id = ANY ($2::text[]) AND id > $3 ORDER BY id LIMIT ${BATCH}) AS shown`;

/** A lead's events, in the order of its index: a timeline may be long. */
const EVENTS = `SELECT shown.occurred_at::text || '|' || shown.id AS place, row_to_json(shown)::text AS json FROM (
    SELECT ${EVENT} FROM event WHERE project_id = $1 AND lead_id = $2
      AND occurred_at <= split_part($3, '|', 1)::timestamptz
      AND (occurred_at < split_part($3, '|', 1)::timestamptz OR id > split_part($3, '|', 2))
    ORDER BY occurred_at DESC, id LIMIT ${EVENTS_AT_ONCE}) AS shown`;

const MERGES = `SELECT id AS place, row_to_json(shown)::text AS json
  FROM (SELECT id, winner_id, loser_id, changes, actor, created_at, undone_at FROM merge
    WHERE project_id = $1 AND (winner_id = ANY ($2::text[]) OR loser_id = ANY ($2::text[])) AND id > $3
    ORDER BY id LIMIT ${BATCH}) AS shown`;

/** What changes keep of untracked fields, and of imports from before changes were kept; all else is in events. */
const CHANGES = `SELECT id AS place, json_build_object('change_id', change_id, 'lead_id', record_id,
    'before', before, 'after', after)::text AS json
  FROM change_item WHERE project_id = $1 AND record_id = ANY ($2::text[]) AND kind IN ('lead', 'hidden', 'event') AND id > $3
  ORDER BY id LIMIT ${BATCH}`;

/** A batch of JSON texts, in the order of their places. */
interface Row {
  place: string;
  json: string;
}

/**
 * Yields what the service holds of a person, as files of JSON; the door is checked for every batch. `given` has the
 * identities that the caller asked for: what other leads' history tells of them is the person's, too.
 */
export async function* heldFiles(
  db: ProjectDb,
  projectId: string,
  { subject, leads }: FoundSubject,
  given: Subject,
  mayReadRows: boolean,
): AsyncGenerator<ZippedFile> {
  const ids = leads.map(({ id }) => id);
  for (const [name, text] of [
    ["leads", LEADS] as const,
    ...[["merges", MERGES] as const, ["changes", CHANGES] as const],
  ])
    yield { name: `${name}.json`, text: listOf(pages(db, text, [projectId, ids])) };
  yield { name: "events.json", text: listOf(eventsOf(db, projectId, ids)) };
  yield { name: "import-rows.json", text: listOf(importRows(db, projectId, subject)) };
  yield { name: "queries.json", text: listOf(queries(db, projectId, subject)) };
  yield { name: "history.json", text: listOf(history(db, projectId, given, new Set(ids))) };
  if (!mayReadRows) return;
  const rowIds: string[] = [];
  const columnsOf = new Map<string, readonly Column[]>();
  for (const { id, key, deleted, lead_link: link } of await personalDatasets(db, projectId, "read")) {
    const side = `link${link.side === 1 ? 1 : 0}`;
    const text = `SELECT id AS place, json_build_object('id', id, 'cells', cells, 'created_at', created_at, 'updated_at', updated_at)::text AS json
      FROM dataset_row WHERE project_id = $1 AND dataset_id = $2 AND ${side} = ANY ($4::text[]) AND id > $3 ORDER BY id LIMIT ${BATCH}`;
    const [dataset] = await db.query<{ columns: Column[] }>(
      "SELECT columns FROM dataset WHERE project_id = $1 AND id = $2",
      [projectId, id],
    );
    const rows = pages(db, text, [projectId, id], [linksOf(subject)[link.match]]);
    const columns = dataset?.columns ?? [];
    columnsOf.set(id, columns);
    yield {
      name: `datasets/${deleted ? `${key}-${id}` : key}.json`,
      text: listOf(named(rows, columns, rowIds)),
    };
  }
  yield {
    name: "dataset-changes.json",
    text: listOf(changedRows(db, projectId, subject, { rowIds, columnsOf })),
  };
}

/** Yields the rows of a statement whose `$3` is the place of the last row. */
async function* pages(
  db: ProjectDb,
  text: string,
  before: readonly unknown[],
  behind: readonly unknown[] = [],
  { from = "", batch = BATCH } = {},
): AsyncGenerator<string[]> {
  let place = from;
  for (let more = true; more; ) {
    const rows = await db.query<Row>(text, [...before, place, ...behind]);
    if (rows.length > 0) yield rows.map(({ json }) => json);
    place = rows.at(-1)?.place ?? place;
    more = rows.length === batch;
  }
}

async function* eventsOf(db: ProjectDb, projectId: string, ids: readonly string[]): AsyncGenerator<string[]> {
  for (const id of ids)
    yield* pages(db, EVENTS, [projectId, id], [], { from: "infinity|", batch: EVENTS_AT_ONCE });
}

/** Yields the text of a JSON array. */
async function* listOf(batches: AsyncIterable<string[]>): AsyncGenerator<string> {
  let before = "[\n";
  for await (const batch of batches) {
    yield before + batch.join(",\n");
    before = ",\n";
  }
  yield before === "[\n" ? "[]\n" : "\n]\n";
}

/** Rows with their cells under the keys of the columns; adds the rows' ids to `ids`. */
async function* named(
  batches: AsyncIterable<string[]>,
  columns: readonly Column[],
  ids: string[],
): AsyncGenerator<string[]> {
  for await (const batch of batches)
    yield batch.map((json) => {
      const row = JSON.parse(json) as { id: string; cells: Record<string, unknown> };
      ids.push(row.id);
      const cells = columns.map(({ slot, key }) => [key, row.cells[slot] ?? null]);
      return JSON.stringify({ ...row, cells: Object.fromEntries(cells) });
    });
}

/** What changes keep of rows that are or were the person's, with the keys of columns that the dataset still has. */
async function* changedRows(
  db: ProjectDb,
  projectId: string,
  subject: Subject,
  { rowIds, columnsOf }: { rowIds: readonly string[]; columnsOf: ReadonlyMap<string, readonly Column[]> },
): AsyncGenerator<string[]> {
  const sought = { links: linksOf(subject), named: subject };
  const kept = await db.transaction(async (tx) => {
    const searched = await searchChanges(tx, projectId, sought);
    const former = await rowsInChanges(tx, projectId, sought, searched);
    return await keptOfRows(tx, projectId, [...rowIds, ...former]);
  });
  if (kept.length === 0) return;
  yield kept.map(({ before, after, ...row }) => {
    const keys = new Map((columnsOf.get(row.dataset_id ?? "") ?? []).map(({ slot, key }) => [slot, key]));
    const shown = (cells: Record<string, unknown> | null) =>
      cells &&
      Object.fromEntries(Object.entries(cells).map(([slot, cell]) => [keys.get(slot) ?? slot, cell]));
    return JSON.stringify({ ...row, before: shown(before), after: shown(after) });
  });
}

/** Former values of other leads, and what imports and merges of them keep. */
async function* history(
  db: ProjectDb,
  projectId: string,
  given: Subject,
  own: ReadonlySet<string>,
): AsyncGenerator<string[]> {
  const { changes, kept } = await historyOf(db, projectId, given);
  const others = [
    ...changes.filter(({ lead_id }) => !own.has(lead_id)),
    ...kept
      .filter(({ leadId }) => !own.has(leadId))
      .map(({ id, leadId, values }) => ({ id, lead_id: leadId, values })),
  ];
  if (others.length > 0) yield others.map((each) => JSON.stringify(each));
}

async function* importRows(db: ProjectDb, projectId: string, subject: Subject): AsyncGenerator<string[]> {
  for (const kept of await keptImports(db, projectId, subject, "read")) {
    if (kept.state === "uploading") continue;
    const { id, shape } = kept;
    for await (const { line, cells } of recordsOfSubject(db, projectId, kept, subject)) {
      const header = shape?.header ?? [];
      const row = cells.map((cell, i) => [header[i] ?? `Column ${i + 1}`, cell]);
      yield [JSON.stringify({ import_id: id, line, cells: Object.fromEntries(row) })];
    }
  }
}

async function* queries(db: ProjectDb, projectId: string, subject: Subject): AsyncGenerator<string[]> {
  const found = await mentionsOf(db, projectId, subject);
  if (found.length > 0) yield found.map((each) => JSON.stringify(each));
}
