import type { Transaction } from "../../../db/pool/database.ts";
import { type Link, linkValue } from "../../fields/link.ts";
import { AFTER_LAST } from "../../sql/after-last.ts";
import type { Dataset } from "../definition/dataset.ts";
import type { MappedRow, RowIdentityMap } from "./row-identity-map.ts";

const side = (n: 0 | 1, email: string) => `CASE WHEN ${email} THEN lower(g.link${n}) ELSE g.link${n} END`;
const GIVEN = "AS g (id text, cells jsonb, link0 text, link1 text, version integer, created_at timestamptz)";

/** A unique value that moves between rows in one call is reassigned, not deleted and inserted. */
const SAVE = (touch: boolean): string => `WITH added AS (
    INSERT INTO dataset_row (project_id, dataset_id, id, cells, link0, link1, version, created_at)
    SELECT $1, $2, g.id, g.cells, ${side(0, "$7")}, ${side(1, "$8")}, coalesce(g.version, 1), coalesce(g.created_at, moment()) FROM jsonb_to_recordset($3::jsonb) ${GIVEN}
    RETURNING id
  ), changed AS (
    UPDATE dataset_row SET cells = g.cells, link0 = ${side(0, "$7")}, link1 = ${side(1, "$8")}${
      touch ? `, version = dataset_row.version + 1, updated_at = ${AFTER_LAST}` : ""
    }
    FROM jsonb_to_recordset($4::jsonb) ${GIVEN}
    WHERE project_id = $1 AND dataset_id = $2 AND dataset_row.id = g.id
    RETURNING dataset_row.id
  ), freed AS (
    DELETE FROM dataset_unique WHERE project_id = $1 AND dataset_id = $2 AND (slot, value) IN (
      SELECT g.slot, decode(g.value, 'hex') FROM jsonb_to_recordset($5::jsonb) AS g (slot text, value text))
    RETURNING 1
  ), taken AS (
    INSERT INTO dataset_unique (project_id, dataset_id, slot, value, row_id)
    SELECT $1, $2, g.slot, decode(g.value, 'hex'), g.row_id
    FROM jsonb_to_recordset($6::jsonb) AS g (slot text, value text, row_id text)
    ON CONFLICT (project_id, dataset_id, slot, value) DO UPDATE SET row_id = excluded.row_id
    RETURNING 1
  ) SELECT (SELECT count(*) FROM added) + (SELECT count(*) FROM changed) AS rows,
    (SELECT count(*) FROM freed) + (SELECT count(*) FROM taken) AS uniques`;

const TEXTS = { touched: SAVE(true), untouched: SAVE(false) };

/**
 * Stores the decisions of an identity map in one statement. `touched` rows get a new version and time; `untouched`
 * is for changes of the dataset's columns.
 */
export async function saveRows(
  tx: Transaction,
  projectId: string,
  identityMap: RowIdentityMap,
  how: "touched" | "untouched" = "touched",
): Promise<void> {
  const { rows, freed, taken } = identityMap.changes();
  if (rows.length === 0) return;
  const { dataset } = identityMap;
  const sides = [linkAt(dataset, 0), linkAt(dataset, 1)] as const;
  const stored = (row: MappedRow) => ({
    id: row.id,
    cells: row.cells,
    ...row.back,
    link0: linkOf(sides[0], row),
    link1: linkOf(sides[1], row),
  });
  const [added, changed] = [
    rows.filter(({ version }) => version === 0),
    rows.filter(({ version }) => version > 0),
  ];
  await tx.query(TEXTS[how], [
    projectId,
    dataset.id,
    JSON.stringify(added.map(stored)),
    JSON.stringify(changed.map(stored)),
    JSON.stringify(freed),
    JSON.stringify(taken),
    sides[0]?.match === "email",
    sides[1]?.match === "email",
  ]);
}

/** The link stored on this side of the rows: the current one, or the one in progress. */
const linkAt = ({ lead_link: link, change }: Dataset, n: 0 | 1): Link | undefined =>
  [link, change?.link].find((each) => each?.side === n) ?? undefined;

const linkOf = (link: Link | undefined, { cells }: MappedRow): string | null =>
  link === undefined ? null : linkValue(cells[link.slot]);
