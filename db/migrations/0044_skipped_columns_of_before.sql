-- Imports uploaded before 0040 say which columns they leave out, too, instead of none.

UPDATE store.import SET skipped_columns = (
  SELECT coalesce(jsonb_agg(jsonb_build_object('name', name, 'filled', filled) ORDER BY n), '[]')
  FROM jsonb_array_elements(columns) WITH ORDINALITY AS given (profile, n),
    LATERAL (SELECT profile ->> 'name' AS name, (profile ->> 'filled')::bigint AS filled) AS shown
  WHERE filled > 0 AND NOT mapping -> 'columns' ? name
    AND name IS DISTINCT FROM mapping #>> '{calendar,day}' AND name IS DISTINCT FROM mapping #>> '{calendar,month}'
    AND NOT EXISTS (SELECT FROM jsonb_path_query(mapping, 'lax $.events[*].times[*]') AS time WHERE time #>> '{}' = name)
    AND NOT EXISTS (SELECT FROM jsonb_path_query(mapping, 'strict $.** ? (@.type() == "string")') AS text
      WHERE position('{' || name || '}' IN text #>> '{}') > 0)
) WHERE skipped_columns IS NULL AND jsonb_typeof(columns) = 'array' AND mapping IS NOT NULL;
