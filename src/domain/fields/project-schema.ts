import { type CustomFieldType, TYPE_IN_FILTERS } from "../../contract/lists/column-types.ts";
import { near } from "../../core/nearest.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import type { Statement } from "../../db/wire/statement-batch.ts";
import { bad, quoted } from "../values/bad-input.ts";
import { type IndexForm, type IndexKind, tableOf } from "./index-form.ts";
import { FIELD_BY_NAME, type Field, type FieldIndex } from "./lead-field.ts";
import type { AskedDataset } from "./row-field.ts";
import { isCurrency, type Meanings } from "./sales.ts";
import { memoryOf } from "./schema-memory.ts";

/** Estimates of the number of leads, and of the events of each event condition by its path. */
export interface EventEstimates {
  leads: number;
  events: ReadonlyMap<string, number>;
}

export const NO_ESTIMATES: EventEstimates = { leads: 0, events: new Map() };

/** A custom field. */
interface CustomField extends Field {
  key: string;
  label: string;
  options: readonly string[];
}

/** A saved view as conditions refer to it; its filter is stored unvalidated. */
export interface SavedView {
  id: string;
  name: string;
  filter?: unknown;
  search?: string;
}

/** What is needed of a project to read a filter. */
export interface ProjectSchema {
  defaultCountry: string | null;
  custom: ReadonlyMap<string, CustomField>;
  /** The built indexes by the names of their fields; `email@` is the domain of the e-mail. */
  indexes: ReadonlyMap<string, FieldIndex>;
  /** The views that the filter names, and the views that those name. */
  views: ReadonlyMap<string, SavedView>;
  statuses: readonly string[];
  /** The meanings of statuses that the project chose. */
  meanings: Meanings;
  events: EventEstimates;
  /** The datasets that the filter and its views name, by key. */
  datasets: ReadonlyMap<string, AskedDataset>;
}

/** For inputs without project-specific names. */
export const NO_PROJECT_SCHEMA: ProjectSchema = {
  defaultCountry: null,
  custom: new Map(),
  indexes: new Map(),
  views: new Map(),
  statuses: [],
  meanings: {},
  events: NO_ESTIMATES,
  datasets: new Map(),
};

/** The row of schemaStatement: a SchemaRow as JSON. */
export interface SchemaText {
  schema: string;
}

interface IndexRow {
  field: string;
  kind: IndexKind;
  form: IndexForm;
  id: number;
  cut: boolean;
  leads: number;
}

interface SchemaRow {
  country: string | null;
  statuses: string[];
  meanings: Meanings;
  fields: { key: string; label: string; type: CustomFieldType; options: string[] }[];
  indexes: IndexRow[];
  views?: { id: string; name: string; filter: unknown; search: string | null }[];
  datasets?: AskedDataset[];
}

/** More views than a filter can hold. */
const MOST_VIEWS = 1_000;

const OWN = `default_country AS country, statuses, meanings,
  (SELECT coalesce(json_agg(json_build_object('key', key, 'label', label, 'type', type, 'options', options)
     ORDER BY position, key), '[]') FROM custom_field WHERE project_id = $1) AS fields,
  (SELECT coalesce(json_agg(built), '[]') FROM (
     SELECT field, kind, form, id, cut, leads FROM field_index
     WHERE project_id = $1 AND built_at IS NOT NULL AND dropped_at IS NULL
   ) AS built) AS indexes`;

/** Without names of views and datasets, which take PostgreSQL twice as long. */
const SCHEMA = `SELECT row_to_json(schema)::text AS schema FROM (SELECT ${OWN} FROM project WHERE project_id = $1) AS schema`;

/** Views can refer to views; UNION meets each once, so cycles end. */
const NAMED = `WITH RECURSIVE named (id, name, query) AS (
     SELECT id, name, query FROM saved_view WHERE project_id = $1 AND id = ANY ($2::text[])
     UNION
     SELECT inner_view.id, inner_view.name, inner_view.query
     FROM named, jsonb_path_query(named.query, '$.filter.**.view') AS mention (view), saved_view AS inner_view
     WHERE inner_view.project_id = $1 AND inner_view.id = mention.view #>> '{}')
  SELECT row_to_json(schema)::text AS schema FROM (SELECT ${OWN},
  (SELECT coalesce(json_agg(shown), '[]') FROM (
     SELECT id, name, query -> 'filter' AS filter, query ->> 'search' AS search FROM named LIMIT ${MOST_VIEWS}
   ) AS shown) AS views,
  (SELECT coalesce(json_agg(asked), '[]') FROM (
     SELECT id, key, name, columns, lead_link,
       EXISTS (SELECT FROM lead WHERE project_id = $1 AND merged_into_id IS NOT NULL) AS merged FROM dataset
     WHERE project_id = $1 AND deleted_at IS NULL AND (key = ANY ($3::text[]) OR key IN (
       SELECT mention.key #>> '{}' FROM named, jsonb_path_query(named.query, '$.filter.**.dataset.key') AS mention (key)))
   ) AS asked) AS datasets
  FROM project WHERE project_id = $1) AS schema`;

/** The names of views and datasets that a selection needs. */
export interface SchemaNames {
  views: readonly string[];
  datasets: readonly string[];
}

const NO_NAMES: SchemaNames = { views: [], datasets: [] };

/** Returns the statement for a project's custom fields, statuses and country, and the named views and datasets. */
export function schemaStatement(projectId: string, { views, datasets }: SchemaNames = NO_NAMES): Statement {
  const [heldViews, heldDatasets] = [views.filter(isHoldable), datasets.filter(isHoldable)];
  return heldViews.length + heldDatasets.length === 0
    ? { text: SCHEMA, values: [projectId] }
    : { text: NAMED, values: [projectId, heldViews, heldDatasets] };
}

/** Reads a project's custom fields, statuses and country, and the named views and datasets. */
export async function projectSchema(
  db: Pick<ProjectDb, "query">,
  projectId: string,
  names: SchemaNames = NO_NAMES,
): Promise<ProjectSchema> {
  const { text, values } = schemaStatement(projectId, names);
  const [row] = await db.query<SchemaText>(text, values, { prepare: true });
  return schemaOf(row?.schema);
}

/** The schemas that were read before. */
export const projectSchemas = memoryOf(schemaOf);

/** Reads the answer to schemaStatement; without one, the project is gone. */
function schemaOf(text: string | undefined): ProjectSchema {
  const row = text === undefined ? undefined : (JSON.parse(text) as SchemaRow);
  const indexes = indexesOf(row?.indexes ?? []);
  const custom = (row?.fields ?? []).map(({ key, label, type, options }): [string, CustomField] => {
    const name = `custom.${key}`;
    const index = indexes.get(name);
    const shared = { name, type: TYPE_IN_FILTERS[type], column: "custom", key, label, options };
    return [key, index === undefined ? shared : { ...shared, index }];
  });
  return {
    ...NO_PROJECT_SCHEMA,
    defaultCountry: row?.country ?? null,
    custom: new Map(custom),
    indexes,
    statuses: row?.statuses ?? [],
    meanings: row?.meanings ?? {},
    views: new Map((row?.views ?? []).map((view) => [view.id, viewOf(view)])),
    datasets: new Map((row?.datasets ?? []).map((dataset) => [dataset.key, dataset])),
  };
}

function indexesOf(rows: readonly IndexRow[]): Map<string, FieldIndex> {
  const indexes = new Map<string, FieldIndex>();
  for (const { field, kind, form, id, cut, leads } of rows) {
    // An index has what was written, but leads without a currency have the project's.
    if (isCurrency({ column: field })) continue;
    const one =
      kind === "parts" ? { parts: { id, leads } } : { order: { id, table: tableOf(kind, form), cut, leads } };
    indexes.set(field, { ...indexes.get(field), ...one });
  }
  return indexes;
}

/** PostgreSQL cannot store NUL, so nothing has such a name. */
const isHoldable = (name: string): boolean => !name.includes("\0");

const viewOf = ({ id, name, filter, search }: NonNullable<SchemaRow["views"]>[number]): SavedView => ({
  id,
  name,
  ...(filter === null ? {} : { filter }),
  ...(search === null ? {} : { search }),
});

/** The fields whose names are like this one, as the end of a sentence. */
function candidates(name: string, schema: ProjectSchema): string {
  const known = [...FIELD_BY_NAME.keys(), ...[...schema.custom.keys()].map((key) => `custom.${key}`)];
  const own = known.filter((each) => each === `custom.${name}`);
  const alike = own.length > 0 ? own : near(name.replace(/^custom\./, ""), known).slice(0, 3);
  return alike.length === 0 ? "" : `; the nearest are ${alike.join(", ")}`;
}

/** The field of this name, standard or `custom.<key>`. */
export function findField(name: unknown, path: string, schema: ProjectSchema): Field {
  if (typeof name !== "string") bad(path, "type", "must be the name of a field");
  const field = name.startsWith("custom.") ? schema.custom.get(name.slice(7)) : FIELD_BY_NAME.get(name);
  if (field === undefined)
    bad(
      path,
      "unknown_field",
      `${quoted(name)} is not a field of this project's leads${candidates(name, schema)}`,
    );
  const index = schema.indexes.get(field.name);
  return {
    ...field,
    ...(index && { index }),
    ...(field.name === "status" && { options: schema.statuses }),
  };
}
