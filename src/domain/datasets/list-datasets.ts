import { Type } from "typebox";
import { type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import { checked, memberOperation } from "../operation/operation.ts";
import { DATASET_COLUMNS, type Dataset, type ShownDataset, shownDataset } from "./definition/dataset.ts";

const DatasetList = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, description: "Default: 50." })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    cursor: Type.Optional(
      Type.String({ maxLength: 1_000, description: "next_cursor of the previous page." }),
    ),
  },
  { additionalProperties: false },
);

/** A page of datasets, by offset or cursor. */
export interface DatasetPage {
  datasets: ShownDataset[];
  limit: number;
  offset: number;
  hasMore: boolean;
  total: number;
  nextCursor: string | null;
}

const LIST = `SELECT ${DATASET_COLUMNS},
    (SELECT count(*)::integer FROM dataset WHERE project_id = $1 AND deleted_at IS NULL) AS total
  FROM dataset d WHERE d.project_id = $1 AND d.deleted_at IS NULL AND ($2::text IS NULL OR d.key > $2)
  ORDER BY d.key LIMIT $3 OFFSET $4`;

/** Returns the project's datasets in the order of their keys. */
export const listDatasets = memberOperation({
  name: "datasets.list",
  needs: "datasets:read",
  limit: "datasetReads",
  input: DatasetList,
  async run(context, { limit = 50, offset = 0, cursor }): Promise<DatasetPage> {
    const { service, db, caller } = context;
    const binding: CursorBinding = [caller.projectId, "datasets.list"];
    const after = await checked(context, () =>
      cursor === undefined ? null : readCursor<string>(service, binding, cursor),
    );
    const list = (from: string | null, many: number, skip: number) =>
      db.query<Dataset & { total: number }>(LIST, [caller.projectId, from, many, skip], { prepare: true });
    const rows = await list(after, limit + 1, offset);
    const total =
      rows[0]?.total ?? (offset === 0 && after === null ? 0 : ((await list(null, 1, 0))[0]?.total ?? 0));
    const shown = rows.slice(0, limit);
    const [hasMore, last] = [rows.length > limit, shown.at(-1)];
    return {
      ...{ datasets: shown.map(shownDataset), limit, offset, hasMore, total },
      nextCursor: hasMore && last !== undefined ? writeCursor(service, binding, last.key) : null,
    };
  },
});
