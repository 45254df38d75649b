/** SQL for whether a saved view names the custom field with the key `$2`. */
export const NAMED_IN_VIEW = `(jsonb_path_exists(query, '$.**.field ? (@ == $name)', jsonb_build_object('name', 'custom.' || $2))
  OR query -> 'fields' ? ('custom.' || $2))`;
