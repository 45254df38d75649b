-- One external id, one lead: the oldest of several leads keeps it, the others keep the value in a custom field.
-- Programs could create several leads with the same external id; every later upsert by it was then refused.

-- Waits for running writers before the first read, and later writers wait for the index.
LOCK TABLE store.lead IN SHARE ROW EXCLUSIVE MODE;

-- Ids as the service makes them: 48 bits of time and 80 of chance in base32.
CREATE FUNCTION pg_temp.fresh_id(prefix text) RETURNS text LANGUAGE sql VOLATILE AS $$
  SELECT prefix || '_' || string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (bits >> shift & 31)::integer + 1, 1), '' ORDER BY part, shift DESC)
  FROM (VALUES (1, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, 9), (2, ('x' || left(replace(gen_random_uuid()::text, '-', ''), 10))::bit(40)::bigint, 7),
    (3, ('x' || right(replace(gen_random_uuid()::text, '-', ''), 10))::bit(40)::bigint, 7)) AS parts (part, bits, last),
    LATERAL (SELECT n * 5 AS shift FROM generate_series(0, last) AS n) AS shifts
$$;

CREATE TEMP TABLE moved_id ON COMMIT DROP AS
SELECT l.project_id, l.id, l.external_id, twice.holder_id, NULL::text AS key
FROM (
  SELECT project_id, external_id, (array_agg(id ORDER BY created_at, id))[1] AS holder_id FROM store.lead
  WHERE external_id IS NOT NULL AND deleted_at IS NULL AND merged_into_id IS NULL
  GROUP BY project_id, external_id HAVING count(*) > 1
) AS twice JOIN store.lead l ON l.project_id = twice.project_id AND l.external_id = twice.external_id
  AND l.deleted_at IS NULL AND l.merged_into_id IS NULL AND l.id <> twice.holder_id;
ANALYZE moved_id;

-- The first key of former_external_id, former_external_id_2, … that no field of the project has.
UPDATE moved_id m SET key = k.key FROM (
  SELECT p.project_id, (SELECT candidate FROM (
      SELECT n, 'former_external_id' || CASE WHEN n = 1 THEN '' ELSE '_' || n END AS candidate FROM generate_series(1, 1000) AS n
    ) AS candidates WHERE NOT EXISTS (SELECT FROM store.custom_field f WHERE f.project_id = p.project_id AND f.key = candidate)
    ORDER BY n LIMIT 1) AS key
  FROM (SELECT DISTINCT project_id FROM moved_id) AS p
) AS k WHERE k.project_id = m.project_id;

INSERT INTO store.custom_field (project_id, key, label, type, description)
SELECT DISTINCT project_id, key, 'Former external id', 'text',
  'The external id that this lead shared with an older lead, which kept it.'
FROM moved_id;

INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, source, actor, title, data)
SELECT m.project_id, pg_temp.fresh_id('evt'), m.id, 'lead.updated', moment(), 'cli',
  '{"type": "cli", "id": null, "label": "command line"}', changed.title, changed.data
FROM moved_id m JOIN store.project p ON p.project_id = m.project_id, LATERAL (VALUES
  ('external_id', 'External id changed', jsonb_build_object('field', 'external_id', 'from', m.external_id, 'to', NULL)),
  (NULL, 'Former external id changed', jsonb_build_object('field', 'custom.' || m.key, 'from', NULL, 'to', m.external_id))
) AS changed (field, title, data)
WHERE changed.field IS NULL OR changed.field <> ALL (p.quiet_fields);

UPDATE store.lead l SET external_id = NULL, custom = l.custom || jsonb_build_object(m.key, m.external_id),
  version = l.version + 1, updated_at = greatest(moment(), l.updated_at + interval '1 microsecond')
FROM moved_id m WHERE l.project_id = m.project_id AND l.id = m.id;

-- For the owners: how many, and the first hundred by id. The values are personal, so they are not in the log.
INSERT INTO audit (action, project_id, data)
SELECT 'external_ids.moved', project_id, jsonb_build_object('leads', count(*), 'field', min(key),
  'first', (array_agg(jsonb_build_object('lead_id', id, 'holder_id', holder_id) ORDER BY id))[1:100])
FROM moved_id GROUP BY project_id;

DO $$
DECLARE found record;
BEGIN
  FOR found IN SELECT project_id, key, count(*) AS leads FROM moved_id GROUP BY project_id, key ORDER BY project_id LOOP
    RAISE WARNING 'Project %: % leads shared their external id with an older lead. It is now in their custom field %.',
      found.project_id, found.leads, found.key;
  END LOOP;
END $$;

-- an external id belongs to one lead that is neither deleted nor merged; lead_external also finds merged ones
CREATE UNIQUE INDEX lead_external_id ON store.lead (project_id, external_id)
  WHERE external_id IS NOT NULL AND deleted_at IS NULL AND merged_into_id IS NULL;
