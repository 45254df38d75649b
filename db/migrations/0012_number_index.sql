-- Numbers of custom fields that their project marks as indexed, in their order and in that of their leads, so that
-- a page of a range costs the same among ten thousand leads and among a million (docs/decisions/0012).

ALTER TABLE store.custom_field
  -- what the index has its numbers under, another name each time it is asked for, so that what an earlier one left
  -- is never read; NULL where the field is not indexed
  ADD index_name text COLLATE "C",
  -- since when every lead with a value is in the index; pages are read from it from then on
  ADD index_built_at timestamptz;
CREATE INDEX custom_field_indexed ON store.custom_field (project_id) WHERE index_name IS NOT NULL;

-- A custom number as the index has it: within what a double can be. Superset only: filters check the value too.
CREATE FUNCTION index_number(custom jsonb, key text) RETURNS double precision LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN jsonb_typeof(custom -> key) = 'number' THEN
  CASE WHEN abs((custom ->> key)::numeric) < 1e-300 THEN 0 ELSE least(greatest((custom ->> key)::numeric, -1e300), 1e300) END::double precision END;

-- Only leads that live. Kept by the triggers below in the transaction of the lead's own write.
CREATE TABLE store.lead_number (
  project_id text COLLATE "C" NOT NULL,
  -- the index_name of a field
  field text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  value double precision NOT NULL,
  created_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, field, lead_id)
);
-- So that rare values are known from common ones: a page of rare ones read newest first is a walk through all.
ALTER TABLE store.lead_number ALTER value SET STATISTICS 1000;
-- a narrow range: its leads, and of one value the newest first
CREATE INDEX lead_number_value ON store.lead_number (project_id, field, value, created_at DESC, lead_id);
-- a wide range: the newest leads, until the page is full
CREATE INDEX lead_number_newest ON store.lead_number (project_id, field, created_at DESC, lead_id) INCLUDE (value);
-- what a deleted lead leaves
CREATE INDEX lead_number_lead ON store.lead_number (project_id, lead_id);

CREATE FUNCTION put_numbers() RETURNS trigger LANGUAGE plpgsql SET search_path = leadgate, public AS $$
BEGIN
  PERFORM FROM fresh l JOIN store.custom_field f ON f.project_id = l.project_id AND f.index_name IS NOT NULL LIMIT 1;
  IF NOT FOUND THEN RETURN NULL; END IF;
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM store.lead_number n USING fresh l WHERE n.project_id = l.project_id AND n.lead_id = l.id
      AND (l.deleted_at IS NOT NULL OR l.merged_into_id IS NOT NULL OR NOT EXISTS (
        SELECT FROM store.custom_field f WHERE f.project_id = l.project_id AND f.index_name = n.field AND index_number(l.custom, f.key) IS NOT NULL));
  END IF;
  INSERT INTO store.lead_number (project_id, field, lead_id, value, created_at)
  SELECT l.project_id, f.index_name, l.id, index_number(l.custom, f.key), l.created_at
  FROM fresh l JOIN store.custom_field f ON f.project_id = l.project_id AND f.index_name IS NOT NULL
  WHERE l.deleted_at IS NULL AND l.merged_into_id IS NULL AND index_number(l.custom, f.key) IS NOT NULL
    AND NOT EXISTS (SELECT FROM store.lead_number n WHERE n.project_id = l.project_id AND n.field = f.index_name AND n.lead_id = l.id
      AND n.value = index_number(l.custom, f.key) AND n.created_at = l.created_at)
  ORDER BY l.project_id, f.index_name, l.id
  ON CONFLICT (project_id, field, lead_id) DO UPDATE SET value = excluded.value, created_at = excluded.created_at;
  RETURN NULL;
END $$;

CREATE FUNCTION drop_numbers() RETURNS trigger LANGUAGE plpgsql SET search_path = leadgate, public AS $$
BEGIN
  DELETE FROM store.lead_number n USING gone l WHERE n.project_id = l.project_id AND n.lead_id = l.id;
  RETURN NULL;
END $$;

CREATE TRIGGER lead_number_inserted AFTER INSERT ON store.lead
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION put_numbers();
CREATE TRIGGER lead_number_updated AFTER UPDATE ON store.lead
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION put_numbers();
CREATE TRIGGER lead_number_deleted AFTER DELETE ON store.lead
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION drop_numbers();

-- The same of tags: one in 25,000 leads was taken for one in 60, and a page of it for a walk through all (1.2 s of a
-- million leads). ANALYZE of a million takes 16 s instead of 4.
ALTER TABLE store.lead ALTER tags SET STATISTICS 300;

-- Its exception block is a subtransaction, which parallel workers of PostgreSQL 15 and 16 refuse.
ALTER FUNCTION custom_moment(text, text) PARALLEL RESTRICTED;

SELECT wall('custom_field'), wall('lead_number');
