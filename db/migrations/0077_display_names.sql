-- Leads have a display name, which is made of what is stored in one place: their name, else their first and last name.
-- It is a function of columns, not a column: a generated one would rewrite the whole table under a lock, and a plain one would
-- have to be written for each lead of before.
-- expand

-- First and last name as one text; null without either. Its folded form has an index: see 0078.
CREATE FUNCTION full_name(first_name text, last_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN nullif(btrim(coalesce(first_name, '') || ' ' || coalesce(last_name, '')), '');

-- What a lead is shown, found and sorted by.
CREATE FUNCTION display_name(name text, first_name text, last_name text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN btrim(name) <> '' THEN name ELSE full_name(first_name, last_name) END;

-- A lead as indexes of fields read it; see 0051.
CREATE FUNCTION indexed_lead(lead jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN lead || jsonb_build_object('display_name', display_name(lead ->> 'name', lead ->> 'first_name', lead ->> 'last_name'));

-- After a write of leads. An index that is being removed gets no more values, and loses those of leads that go. A cluster has a
-- function of its own, which `leadgate distribute` replaces.
DO $do$
BEGIN
  IF to_regproc('leadgate.shard_of') IS NOT NULL THEN RETURN; END IF;
  EXECUTE $f$
CREATE OR REPLACE FUNCTION keep_indexes() RETURNS trigger LANGUAGE plpgsql SET search_path = leadgate, public AS $$
DECLARE
  moves index_move[];
BEGIN
  IF TG_OP = 'DELETE' THEN
    PERFORM FROM gone l JOIN store.field_index i ON i.project_id = l.project_id LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT array_agg(ROW(l.project_id, i.id, index_home(i.kind, i.form), l.id,
      true, indexed_value(i.form, l.lead #> i.path), false, NULL)::index_move) INTO moves
    FROM (SELECT project_id, id, indexed_lead(to_jsonb(gone)) AS lead FROM gone WHERE deleted_at IS NULL AND merged_into_id IS NULL OFFSET 0) l
    JOIN store.field_index i ON i.project_id = l.project_id;
  ELSIF TG_OP = 'INSERT' THEN
    PERFORM FROM fresh l JOIN store.field_index i ON i.project_id = l.project_id LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT array_agg(ROW(l.project_id, i.id, index_home(i.kind, i.form), l.id,
      false, NULL, true, indexed_value(i.form, l.lead #> i.path))::index_move) INTO moves
    FROM (SELECT project_id, id, indexed_lead(to_jsonb(fresh)) AS lead FROM fresh WHERE deleted_at IS NULL AND merged_into_id IS NULL OFFSET 0) l
    JOIN store.field_index i ON i.project_id = l.project_id AND i.dropped_at IS NULL;
  ELSE
    PERFORM FROM fresh l JOIN store.field_index i ON i.project_id = l.project_id LIMIT 1;
    IF NOT FOUND THEN RETURN NULL; END IF;
    SELECT array_agg(ROW(project_id, index_id, home, id, lived, former, lives, fresh)::index_move) INTO moves FROM (
      SELECT l.project_id, i.id AS index_id, index_home(i.kind, i.form) AS home, l.id, lived, lives AND i.dropped_at IS NULL AS lives,
        CASE WHEN lived THEN indexed_value(i.form, l.old #> i.path) END AS former,
        CASE WHEN lives THEN indexed_value(i.form, l.new #> i.path) END AS fresh
      FROM (
        SELECT n.project_id, n.id, indexed_lead(to_jsonb(o)) AS old, indexed_lead(to_jsonb(n)) AS new,
          o.deleted_at IS NULL AND o.merged_into_id IS NULL AS lived, n.deleted_at IS NULL AND n.merged_into_id IS NULL AS lives
        FROM fresh n JOIN gone o ON o.project_id = n.project_id AND o.id = n.id OFFSET 0
      ) l JOIN store.field_index i ON i.project_id = l.project_id
      WHERE lived <> lives OR lives AND l.old #> i.path IS DISTINCT FROM l.new #> i.path OFFSET 0
    ) AS changed WHERE lived <> lives OR former IS DISTINCT FROM fresh;
  END IF;
  IF moves IS NOT NULL THEN PERFORM move_values(moves); END IF;
  RETURN NULL;
END $$
  $f$;
END $do$;
