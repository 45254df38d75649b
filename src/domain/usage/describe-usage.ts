import { Type } from "typebox";
import type {
  RateLimit,
  Usage,
  UsageCount,
  UsedApplication,
  UsedIndex,
  UsedKey,
} from "../../contract/usage.ts";
import { manages, ROLES } from "../../core/permission.ts";
import { MOST_FIELDS } from "../custom-fields/create-field.ts";
import { maySql } from "../operation/may-sql.ts";
import { memberOperation } from "../operation/operation.ts";
import { Parameters } from "../sql/parameters.ts";

/** Counting stops here, so that this costs as little in a large project as in a small one. */
const COUNTED = 1_000_000;

const MANAGERS = ROLES.filter(manages)
  .map((role) => `'${role}'`)
  .join(", ");

const countOf = (source: string): string =>
  `(SELECT count(*)::integer FROM (SELECT FROM ${source} LIMIT ${COUNTED + 1}) AS counted)`;

const seenAt = (column: string): string => `to_json(${column}) #>> '{}'`;

const usageSql = (project: string, mayReadDatasets: string, manager: string): string => `SELECT
    ${countOf(`lead WHERE project_id = ${project} AND deleted_at IS NULL AND merged_into_id IS NULL`)} AS leads,
    ${countOf(`event WHERE project_id = ${project}`)} AS events,
    CASE WHEN ${mayReadDatasets} THEN
      (SELECT count(*)::integer FROM dataset WHERE project_id = ${project} AND deleted_at IS NULL) END AS datasets,
    CASE WHEN ${mayReadDatasets} THEN ${countOf(`dataset d JOIN dataset_row r
      ON r.project_id = d.project_id AND r.dataset_id = d.id WHERE d.project_id = ${project} AND d.deleted_at IS NULL`)}
      END AS rows,
    (SELECT count(*)::integer FROM custom_field WHERE project_id = ${project}) AS fields,
    (SELECT coalesce(sum(bytes), 0)::bigint FROM change WHERE project_id = ${project} AND bytes > 0) AS bytes,
    (SELECT coalesce(json_agg(i), '[]') FROM (
      SELECT field, kind, CASE WHEN requested THEN 'project' ELSE 'service' END AS made_by,
        CASE WHEN built_at IS NULL THEN 'building' ELSE 'ready' END AS state, leads, ${seenAt("created_at")} AS created_at
      FROM field_index WHERE project_id = ${project} AND dropped_at IS NULL ORDER BY id LIMIT 1000) AS i) AS indexes,
    (SELECT count(*)::integer FROM saved_view WHERE project_id = ${project}) AS views,
    (SELECT count(*)::integer FROM membership WHERE project_id = ${project}) AS members,
    CASE WHEN ${manager} THEN (SELECT coalesce(json_agg(k), '[]') FROM (
      SELECT id, name, permissions, ${seenAt("created_at")} AS created_at, ${seenAt("last_used_at")} AS last_used_at
      FROM api_key WHERE project_id = ${project} AND revoked_at IS NULL
        AND (expires_at IS NULL OR expires_at > moment())
      ORDER BY api_key.last_used_at DESC NULLS LAST, id DESC LIMIT 500) AS k) END AS keys,
    CASE WHEN ${manager} THEN (SELECT coalesce(json_agg(a), '[]') FROM (
      SELECT a.client_id, max(a.client_name) AS name, array_agg(DISTINCT scope) AS scopes,
        count(DISTINCT a.person_id)::integer AS people, ${seenAt("max(a.last_used_at)")} AS last_used_at
      FROM "authorization" a
      JOIN membership m ON m.project_id = a.project_id AND m.person_id = a.person_id AND m.created_at <= a.created_at
      CROSS JOIN unnest(a.scopes) AS scope
      WHERE a.project_id = ${project} AND a.revoked_at IS NULL AND a.refresh_expires_at > moment()
      GROUP BY a.client_id ORDER BY max(a.last_used_at) DESC NULLS LAST, a.client_id LIMIT 500) AS a) END AS applications`;

interface Row {
  leads: number;
  events: number;
  datasets: number | null;
  rows: number | null;
  fields: number;
  bytes: number;
  indexes: UsedIndex[];
  views: number;
  members: number;
  keys: UsedKey[] | null;
  applications: UsedApplication[] | null;
}

/** What a project contains and which credentials call it; each count stops at a million. */
export const describeUsage = memberOperation({
  name: "usage.describe",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ service, db, caller }): Promise<Usage> {
    const parameters = new Parameters();
    const project = parameters.text(caller.projectId);
    const manager =
      caller.kind === "person"
        ? `EXISTS (SELECT FROM membership WHERE project_id = ${project}
            AND person_id = ${parameters.text(caller.personId)} AND role IN (${MANAGERS}))`
        : "false";
    const text = usageSql(project, maySql(caller, parameters, "datasets:read"), manager);
    const [row] = await db.query<Row>(text, parameters.values, { parallel: true });
    if (row === undefined) throw new Error("a statement of one row answered none");
    const { api, mcp, datasetReads, datasetWrites, datasetImports } = service.config.limits;
    return {
      limits: {
        api: paceOf(api),
        mcp: paceOf(mcp),
        dataset_reads: paceOf(datasetReads),
        dataset_writes: paceOf(datasetWrites),
        dataset_imports: paceOf(datasetImports),
      },
      leads: upTo(row.leads),
      events: upTo(row.events),
      datasets: row.datasets,
      dataset_rows: row.rows === null ? null : upTo(row.rows),
      fields: { count: row.fields, most: MOST_FIELDS },
      changes: {
        kept_days: service.config.changes.keptDays,
        bytes: row.bytes,
        most_bytes: service.config.changes.keptBytes,
      },
      indexes: row.indexes,
      views: row.views,
      members: row.members,
      api_keys: row.keys,
      applications: row.applications,
    };
  },
});

const upTo = (count: number): UsageCount =>
  count > COUNTED ? { count: COUNTED, relation: "gte" } : { count, relation: "eq" };

/** Returns a limit as hits per minute, or per hour if it is below one a minute. */
export function paceOf(limit: { each: number; burst: number } | null): RateLimit | null {
  if (limit === null) return null;
  const seconds = limit.each > 60_000_000 ? 3_600 : 60;
  return { turns: Math.round((seconds * 1_000_000) / limit.each), seconds, burst: limit.burst };
}
