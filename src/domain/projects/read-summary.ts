import { Type } from "typebox";
import { maySql } from "../operation/may-sql.ts";
import { memberOperation } from "../operation/operation.ts";
import { Parameters } from "../sql/parameters.ts";

/** The contents of a project other than its leads, and the usual values of its newest leads. */
export interface ProjectSummary {
  /** By field, the most frequent values among the newest leads, the most frequent first. */
  frequent: Record<string, string[]>;
  /** Newest first. */
  views: { id: string; name: string }[];
  /** By key; empty for callers who may not read datasets. */
  datasets: { id: string; key: string; name: string; columns: string[]; link: string | null }[];
  /** Who may own a lead. */
  members: { id: string; name: string }[];
}

/** How many leads are read, and the maximum of each list: one more than is shown reveals that there are more. */
const SAMPLE = 1_000;
const VALUES = 8;
const LISTED = 101;

const WORDS =
  "status lifecycle_stage source medium campaign utm_source utm_campaign city state country language currency " +
  "owner_id lost_reason consent_status";

const summarySql = (project: string, mayReadDatasets: string): string => `WITH sample AS MATERIALIZED (
    SELECT * FROM lead WHERE project_id = ${project} AND deleted_at IS NULL AND merged_into_id IS NULL
    ORDER BY created_at DESC, id LIMIT ${SAMPLE}
  ), asked AS MATERIALIZED (
    SELECT key FROM custom_field WHERE project_id = ${project} AND type IN ('text', 'enum', 'boolean')
  ), held AS (
    ${WORDS.split(" ")
      .map((name) => `SELECT '${name}' AS field, ${name} AS value FROM sample`)
      .join(" UNION ALL ")}
    UNION ALL SELECT 'tags', tag FROM sample, unnest(tags) AS tag
    UNION ALL SELECT 'custom.' || key, custom ->> key FROM sample, asked WHERE custom <> '{}'
  ), counted AS (
    SELECT field, value, row_number() OVER (PARTITION BY field ORDER BY count(*) DESC, value) AS place
    FROM held WHERE value <> '' AND length(value) <= 60 GROUP BY field, value
  )
  SELECT
    (SELECT coalesce(json_object_agg(field, told), '{}') FROM (
       SELECT field, json_agg(value ORDER BY place) AS told FROM counted WHERE place <= ${VALUES} GROUP BY field
     ) AS by_field) AS frequent,
    (SELECT coalesce(json_agg(v), '[]') FROM (SELECT id, left(name, 200) AS name FROM saved_view
       WHERE project_id = ${project} ORDER BY id DESC LIMIT ${LISTED}) AS v) AS views,
    (SELECT coalesce(json_agg(d), '[]') FROM (
       SELECT id, key, left(name, 200) AS name, jsonb_path_query_array(columns, '$[*].key') AS columns,
         lead_link ->> 'column' AS link
       FROM dataset WHERE project_id = ${project} AND deleted_at IS NULL AND ${mayReadDatasets}
       ORDER BY key LIMIT ${LISTED}) AS d) AS datasets,
    (SELECT coalesce(json_agg(p), '[]') FROM (SELECT person.id, left(person.name, 200) AS name
       FROM membership m JOIN person ON person.id = m.person_id WHERE m.project_id = ${project}
       ORDER BY lower(person.name), person.id LIMIT ${LISTED}) AS p) AS members`;

/**
 * A summary of a project for an assistant: usual values of the newest 1,000 leads, views, datasets, members. Each
 * list ends after 101 entries.
 */
export const readSummary = memberOperation({
  name: "projects.summarize",
  needs: "leads:read",
  input: Type.Object({}, { additionalProperties: false }),
  async run({ db, caller }): Promise<ProjectSummary> {
    const parameters = new Parameters();
    const project = parameters.text(caller.projectId);
    const text = summarySql(project, maySql(caller, parameters, "datasets:read"));
    const [summary] = await db.query<ProjectSummary>(text, parameters.values, { prepare: true });
    if (summary === undefined) throw new Error("a statement of one row answered none");
    return summary;
  },
});
