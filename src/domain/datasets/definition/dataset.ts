import type { SchemaChangeState } from "../../../contract/lists/datasets.ts";
import { type Fault, notFound } from "../../../core/refusal.ts";
import type { Queryable } from "../../../db/pool/database.ts";
import { type Column, shownColumn } from "../../fields/column.ts";
import type { Link } from "../../fields/link.ts";

/** A change in progress: new columns by the slot that they replace, and a link besides the current one. */
export interface Change {
  token: string;
  columns: Record<string, Column>;
  link?: Link;
}

/** Data that rows no longer need: a column's values or one side of the links, since `at`. */
export interface Dropped {
  slot?: string;
  side?: 0 | 1;
  at: string;
}

/** A dataset as it is stored, with its project's country and zone, which phone numbers and days need. */
export interface Dataset {
  id: string;
  key: string;
  name: string;
  columns: Column[];
  key_column: string | null;
  lead_link: Link | null;
  change: Change | null;
  /** Whether a process is currently working on the change. */
  changing: boolean;
  /** Why the last change failed. */
  change_faults: Fault[] | null;
  dropped: Dropped[];
  slots: number;
  version: number;
  created_at: string;
  updated_at: string;
  /** The time of the statement that read the dataset. */
  now: string;
  country: string | null;
  timezone: string;
}

/** A change without a heartbeat for this long counts as abandoned. */
const BEAT = "interval '60 seconds'";

/** The columns of `d` that make up a Dataset. */
export const DATASET_COLUMNS = `d.id, d.key, d.name, d.columns, d.key_column, d.lead_link, d.change, d.change_faults, d.dropped,
  d.slots,
  d.change IS NOT NULL AND d.change_beat > moment() - ${BEAT} AS changing, d.version,
  to_json(d.created_at) #>> '{}' AS created_at, to_json(d.updated_at) #>> '{}' AS updated_at,
  to_json(moment()) #>> '{}' AS now,
  (SELECT default_country FROM project WHERE project_id = $1) AS country,
  (SELECT timezone FROM project WHERE project_id = $1) AS timezone`;

const FIND = `SELECT ${DATASET_COLUMNS} FROM dataset d
  WHERE d.project_id = $1 AND (d.id = $2 OR d.key = $2) AND d.deleted_at IS NULL`;

/** Reads a dataset by id or key; refuses (404) if there is none. With `lock`, other writers wait. */
export async function findDataset(
  db: Pick<Queryable, "query">,
  projectId: string,
  name: string,
  lock: "lock" | "read" = "read",
): Promise<Dataset> {
  const text = lock === "lock" ? `${FIND} FOR NO KEY UPDATE OF d` : FIND;
  const [dataset] = await db.query<Dataset>(text, [projectId, /^[a-z0-9_]{1,100}$/.test(name) ? name : ""]);
  if (dataset === undefined) throw notFound("dataset");
  return dataset;
}

export const columnOf = ({ columns }: Pick<Dataset, "columns">, key: string | null): Column | undefined =>
  columns.find((column) => column.key === key);

/** A dataset as API users see it. */
export interface ShownDataset {
  id: string;
  key: string;
  name: string;
  columns: Omit<Column, "slot">[];
  key_column: string | null;
  lead_link: Pick<Link, "column" | "match" | "personal"> | null;
  /** A change of columns that is being applied to the rows, or why the last one failed. */
  change: { state: SchemaChangeState; details: Fault[] } | null;
  version: number;
  created_at: string;
  updated_at: string;
}

/** A killed process leaves an abandoned change, which has no effect and is discarded by the next change. */
function shownChange({ change, changing, change_faults: details }: Dataset): ShownDataset["change"] {
  if (change !== null) return { state: changing ? "running" : "abandoned", details: [] };
  return details === null ? null : { state: "failed", details };
}

export const shownDataset = (dataset: Dataset): ShownDataset => ({
  id: dataset.id,
  key: dataset.key,
  name: dataset.name,
  columns: dataset.columns.map(shownColumn),
  key_column: dataset.key_column,
  lead_link:
    dataset.lead_link === null
      ? null
      : {
          column: dataset.lead_link.column,
          match: dataset.lead_link.match,
          personal: dataset.lead_link.personal ?? true,
        },
  change: shownChange(dataset),
  version: dataset.version,
  created_at: dataset.created_at,
  updated_at: dataset.updated_at,
});
