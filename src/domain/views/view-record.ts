/** A saved view as its JSON text, out of a row called `v`. */
export const VIEW_JSON = `json_build_object('id', v.id, 'name', v.name, 'query', v.query, 'created_by', v.created_by,
  'version', v.version, 'created_at', v.created_at, 'updated_at', v.updated_at)::text`;

/** A view as text, and its version for ETag. */
export interface ViewRecord {
  id: string;
  version: number;
  json: string;
}
