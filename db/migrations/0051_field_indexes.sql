-- Indexes of fields: the values of one field in their order, or the texts for searching their parts, for projects that
-- sort or filter by it. They are rows, not indexes of store.lead, for which every project would pay
-- (docs/decisions/0028). They replace the index over numbers of 0012; marked fields are built again after the start.

DROP TRIGGER lead_number_inserted ON store.lead;
DROP TRIGGER lead_number_updated ON store.lead;
DROP TRIGGER lead_number_deleted ON store.lead;
DROP FUNCTION put_numbers();
DROP FUNCTION drop_numbers();
DROP VIEW leadgate.lead_number;
DROP TABLE store.lead_number;
DROP FUNCTION index_number(jsonb, text);

-- an id is never used again: what a writer leaves in an index that is gone is read by nobody
CREATE SEQUENCE store.field_index_id AS integer;

CREATE TABLE store.field_index (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  id integer NOT NULL DEFAULT nextval('store.field_index_id'),
  -- the field's name in filters, `custom.seats`; `email@` is the domain of the e-mail
  field text COLLATE "C" NOT NULL,
  -- order: sorting, ranges and equality; parts: texts in which a text occurs
  kind text COLLATE "C" NOT NULL CHECK (kind IN ('order', 'parts')),
  -- how a value is made of what leads have; see indexed_value()
  form text COLLATE "C" NOT NULL CHECK (form IN ('folded', 'exact', 'domain', 'number', 'moment', 'day')),
  -- where a lead as JSON has it
  path text[] NOT NULL GENERATED ALWAYS AS (
    CASE WHEN field LIKE 'custom.%' THEN ARRAY['custom', substr(field, 8)] ELSE ARRAY[rtrim(field, '@')] END) STORED,
  -- whether the project asked for it with `indexed`; the service drops only what it made itself
  requested boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT moment(),
  -- to the day
  used_at timestamptz,
  -- since when every lead is in it; pages are read from it from then on
  built_at timestamptz,
  -- since when its values are being removed
  dropped_at timestamptz,
  -- whether a value is longer than what an index entry can hold: then it narrows, but does not order
  cut boolean NOT NULL DEFAULT false,
  -- how many leads it had when it was built, and until then how many the project had
  leads integer NOT NULL DEFAULT 0,
  PRIMARY KEY (project_id, id)
);
CREATE UNIQUE INDEX field_index_field ON store.field_index (project_id, field, kind) WHERE dropped_at IS NULL;

-- The values of living leads, also of those without one, since a sort shows them too. Kept by the triggers below in the
-- transaction of the lead's own write.
CREATE TABLE store.lead_order_text (
  project_id text COLLATE "C" NOT NULL, index_id integer NOT NULL, lead_id text COLLATE "C" NOT NULL, value text COLLATE "C");
CREATE TABLE store.lead_order_number (
  project_id text COLLATE "C" NOT NULL, index_id integer NOT NULL, lead_id text COLLATE "C" NOT NULL, value double precision);
CREATE TABLE store.lead_order_moment (
  project_id text COLLATE "C" NOT NULL, index_id integer NOT NULL, lead_id text COLLATE "C" NOT NULL, value timestamptz);
CREATE TABLE store.lead_parts (
  project_id text COLLATE "C" NOT NULL, index_id integer NOT NULL, lead_id text COLLATE "C" NOT NULL, value text NOT NULL,
  PRIMARY KEY (project_id, index_id, lead_id));
-- texts that contain a text
CREATE INDEX lead_parts_value ON store.lead_parts USING gin (project_id, index_id, value gin_trgm_ops);

-- Numbers as the double that filters and sorts of programs mean: exact for every double, and no error for what is none.
CREATE FUNCTION double_of(value numeric) RETURNS double precision LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN CASE WHEN abs(value) > 1.7976931348623158e308 THEN CASE WHEN value > 0 THEN 'Infinity' ELSE '-Infinity' END::double precision
  WHEN abs(value) < 2.4703282292062328e-324 THEN 0 ELSE value::double precision END;

-- The text of a field's value as its index has it, of what the lead as JSON has. A change of this function, or of one that
-- it calls, needs all indexes to be built again: a former value is found by computing it.
CREATE FUNCTION indexed_value(form text, value jsonb) RETURNS text LANGUAGE sql STABLE PARALLEL RESTRICTED
RETURN CASE form
  WHEN 'folded' THEN leadgate.fold(value #>> '{}')
  WHEN 'exact' THEN value #>> '{}'
  WHEN 'domain' THEN lower(substring(value #>> '{}' FROM '@([^@]*)$'))
  WHEN 'number' THEN CASE WHEN jsonb_typeof(value) = 'number' THEN leadgate.double_of(value::numeric)::text END
  WHEN 'moment' THEN (value #>> '{}')::timestamptz::text
  WHEN 'day' THEN leadgate.custom_moment(value #>> '{}', 'UTC')::text END;

-- What a write does to one index: the value of a lead goes, comes, or changes. `home` is the table.
CREATE TYPE index_move AS (
  project_id text COLLATE "C", index_id integer, home text COLLATE "C", lead_id text COLLATE "C",
  had boolean, former text COLLATE "C", has boolean, fresh text COLLATE "C");

CREATE FUNCTION index_home(kind text, form text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN kind = 'parts' THEN 'parts' WHEN form = 'number' THEN 'number' WHEN form IN ('moment', 'day') THEN 'moment' ELSE 'text' END;

-- One function for each table of an order. Their plans go from the moves to the index, whatever statistics say: the table
-- may have been empty when the plan was made.
DO $do$
DECLARE
  home text;
  type text;
  -- what is stored of a text
  part text;
BEGIN
  FOR home, type, part IN VALUES ('text', 'text', 'left(m.%s, 500)'), ('number', 'double precision', 'm.%s::double precision'),
    ('moment', 'timestamptz', 'm.%s::timestamptz') LOOP
    EXECUTE format($f$
      -- by value: equality, ranges, ascending pages; each lead once
      CREATE UNIQUE INDEX lead_order_%1$s_value ON store.lead_order_%1$s (project_id, index_id, value, lead_id) NULLS NOT DISTINCT;
      -- descending pages
      CREATE INDEX lead_order_%1$s_last ON store.lead_order_%1$s (project_id, index_id, value DESC NULLS LAST, lead_id);
      ALTER TABLE store.lead_order_%1$s ALTER value SET STATISTICS 1000;

      CREATE FUNCTION move_%1$ss(moves index_move[]) RETURNS void LANGUAGE plpgsql
        SET search_path = leadgate, public SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
      BEGIN
        DELETE FROM store.lead_order_%1$s v USING unnest(moves) m WHERE m.home = '%1$s' AND m.had
          AND v.project_id = m.project_id AND v.index_id = m.index_id AND v.lead_id = m.lead_id AND v.value = %2$s;
        DELETE FROM store.lead_order_%1$s v USING unnest(moves) m WHERE m.home = '%1$s' AND m.had AND m.former IS NULL
          AND v.project_id = m.project_id AND v.index_id = m.index_id AND v.lead_id = m.lead_id AND v.value IS NULL;
        INSERT INTO store.lead_order_%1$s (project_id, index_id, lead_id, value)
        SELECT m.project_id, m.index_id, m.lead_id, %3$s FROM unnest(moves) m WHERE m.home = '%1$s' AND m.has
        ORDER BY m.project_id, m.index_id, 4, m.lead_id ON CONFLICT DO NOTHING;
      END $$;
    $f$, home, format(part, 'former'), format(part, 'fresh'));
  END LOOP;
END $do$;

CREATE FUNCTION move_parts(moves index_move[]) RETURNS void LANGUAGE plpgsql
  SET search_path = leadgate, public SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
BEGIN
  DELETE FROM store.lead_parts v USING unnest(moves) m WHERE m.home = 'parts' AND m.had AND (NOT m.has OR m.fresh IS NULL)
    AND v.project_id = m.project_id AND v.index_id = m.index_id AND v.lead_id = m.lead_id;
  INSERT INTO store.lead_parts AS v (project_id, index_id, lead_id, value)
  SELECT m.project_id, m.index_id, m.lead_id, m.fresh FROM unnest(moves) m WHERE m.home = 'parts' AND m.has AND m.fresh IS NOT NULL
  ORDER BY m.project_id, m.index_id, m.lead_id
  ON CONFLICT (project_id, index_id, lead_id) DO UPDATE SET value = excluded.value WHERE v.value <> excluded.value;
END $$;

-- Brings the values of indexes up to date: the triggers after a write, the builder after a batch of leads.
CREATE FUNCTION move_values(moves index_move[]) RETURNS void LANGUAGE plpgsql SET search_path = leadgate, public AS $$
DECLARE
  homes text[] := ARRAY(SELECT DISTINCT m.home FROM unnest(moves) m);
BEGIN
  IF 'text' = ANY (homes) THEN
    PERFORM move_texts(moves);
    PERFORM FROM unnest(moves) m WHERE m.home = 'text' AND length(m.fresh) > 500 LIMIT 1;
    IF FOUND THEN
      UPDATE store.field_index i SET cut = true FROM unnest(moves) m
      WHERE m.home = 'text' AND length(m.fresh) > 500 AND i.project_id = m.project_id AND i.id = m.index_id AND NOT i.cut;
    END IF;
  END IF;
  IF 'number' = ANY (homes) THEN PERFORM move_numbers(moves); END IF;
  IF 'moment' = ANY (homes) THEN PERFORM move_moments(moves); END IF;
  IF 'parts' = ANY (homes) THEN PERFORM move_parts(moves); END IF;
END $$;

-- After a write of leads. An index that is being removed gets no more values, and loses those of leads that go.
CREATE FUNCTION keep_indexes() RETURNS trigger LANGUAGE plpgsql SET search_path = leadgate, public AS $$
DECLARE
  moves index_move[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM FROM gone l JOIN store.field_index i ON i.project_id = l.project_id LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT array_agg(ROW(l.project_id, i.id, index_home(i.kind, i.form), l.id,
      true, indexed_value(i.form, l.lead #> i.path), false, NULL)::index_move) INTO moves
    FROM (SELECT project_id, id, to_jsonb(gone) AS lead FROM gone WHERE deleted_at IS NULL AND merged_into_id IS NULL OFFSET 0) l
    JOIN store.field_index i ON i.project_id = l.project_id;
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM FROM fresh l JOIN store.field_index i ON i.project_id = l.project_id LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT array_agg(ROW(l.project_id, i.id, index_home(i.kind, i.form), l.id,
      false, NULL, true, indexed_value(i.form, l.lead #> i.path))::index_move) INTO moves
    FROM (SELECT project_id, id, to_jsonb(fresh) AS lead FROM fresh WHERE deleted_at IS NULL AND merged_into_id IS NULL OFFSET 0) l
    JOIN store.field_index i ON i.project_id = l.project_id AND i.dropped_at IS NULL;
  ELSE
    PERFORM FROM fresh l JOIN store.field_index i ON i.project_id = l.project_id LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT array_agg(ROW(project_id, index_id, home, id, lived, former, lives, fresh)::index_move) INTO moves FROM (
      SELECT l.project_id, i.id AS index_id, index_home(i.kind, i.form) AS home, l.id, lived, lives AND i.dropped_at IS NULL AS lives,
        CASE WHEN lived THEN indexed_value(i.form, l.old #> i.path) END AS former,
        CASE WHEN lives THEN indexed_value(i.form, l.new #> i.path) END AS fresh
      FROM (
        SELECT n.project_id, n.id, to_jsonb(o) AS old, to_jsonb(n) AS new,
          o.deleted_at IS NULL AND o.merged_into_id IS NULL AS lived, n.deleted_at IS NULL AND n.merged_into_id IS NULL AS lives
        FROM fresh n JOIN gone o ON o.project_id = n.project_id AND o.id = n.id OFFSET 0
      ) l JOIN store.field_index i ON i.project_id = l.project_id
      WHERE lived <> lives OR lives AND l.old #> i.path IS DISTINCT FROM l.new #> i.path OFFSET 0
    ) AS changed WHERE lived <> lives OR former IS DISTINCT FROM fresh;
  END IF;
  IF moves IS NOT NULL THEN PERFORM move_values(moves); END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER lead_index_inserted AFTER INSERT ON store.lead
  REFERENCING NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_indexes();
CREATE TRIGGER lead_index_updated AFTER UPDATE ON store.lead
  REFERENCING OLD TABLE AS gone NEW TABLE AS fresh FOR EACH STATEMENT EXECUTE FUNCTION keep_indexes();
CREATE TRIGGER lead_index_deleted AFTER DELETE ON store.lead
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION keep_indexes();

-- Removes up to `most` values of an index; returns how many it removed.
CREATE FUNCTION remove_values(project text, index integer, kind text, form text, most integer) RETURNS integer
  LANGUAGE plpgsql SET search_path = leadgate, public AS $$
DECLARE
  removed integer;
BEGIN
  EXECUTE format('DELETE FROM store.%1$I WHERE project_id = $1 AND index_id = $2 AND ctid = ANY (ARRAY(
    SELECT ctid FROM store.%1$I WHERE project_id = $1 AND index_id = $2 LIMIT $3))',
    CASE index_home(kind, form) WHEN 'parts' THEN 'lead_parts' ELSE 'lead_order_' || index_home(kind, form) END) USING project, index, most;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;

INSERT INTO store.field_index (project_id, field, kind, form, requested)
SELECT project_id, 'custom.' || key, 'order', 'number', true FROM store.custom_field WHERE index_name IS NOT NULL ORDER BY project_id, key;

-- Definitions that changes keep say `indexed` from now on.
UPDATE store.change_item SET
  before = before - 'index_name' || jsonb_build_object('indexed', before ->> 'index_name' IS NOT NULL),
  after = after - 'index_name' || jsonb_build_object('indexed', after ->> 'index_name' IS NOT NULL)
WHERE kind = 'field' AND (before ? 'index_name' OR after ? 'index_name');

DROP VIEW leadgate.custom_field;
ALTER TABLE store.custom_field DROP COLUMN index_name, DROP COLUMN index_built_at;

SELECT wall('custom_field'), wall('field_index'), wall('lead_order_text'), wall('lead_order_number'), wall('lead_order_moment'), wall('lead_parts');
