/** A custom field as its JSON text, out of a row called `f`. */
export const FIELD_JSON = `json_build_object('key', f.key, 'label', f.label, 'type', f.type, 'options', f.options,
  'description', f.description, 'timeline', f.timeline, 'position', f.position,
  'indexed', f.index_name IS NOT NULL, 'index_built_at', f.index_built_at, 'created_at', f.created_at)::text`;
