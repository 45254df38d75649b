-- Functions of the database whose projects are distributed over the nodes of a Citus cluster. They take the place of those of the
-- migrations, which read or write tables of a project: called for a row of a shard, a function runs on the shard's node and has to name
-- the shards of that project there, which are ordinary tables. `leadgate distribute` applies the file again whenever it runs, statement by
-- statement: an empty line separates them.

-- Who a merged lead became; see 0005.
CREATE OR REPLACE FUNCTION survivor(project text, lead text) RETURNS text LANGUAGE plpgsql STABLE PARALLEL SAFE AS $$
DECLARE
  found text;
BEGIN
  EXECUTE format('WITH RECURSIVE way (id, next, gone) AS (
      SELECT l.id, l.merged_into_id, l.deleted_at IS NOT NULL FROM %1$s l WHERE l.project_id = $1 AND l.id = $2
      UNION SELECT l.id, l.merged_into_id, l.deleted_at IS NOT NULL FROM %1$s l JOIN way ON l.id = way.next WHERE l.project_id = $1
    ) SELECT id FROM way WHERE next IS NULL AND NOT gone', leadgate.shard_of('lead', project)) INTO found USING project, lead;
  RETURN found;
END $$;

-- The event of a lead that an outside system knows by this key; see 0005.
CREATE OR REPLACE FUNCTION known_event(project text, lead text, key text, origin text) RETURNS event LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  known leadgate.event;
BEGIN
  EXECUTE format('SELECT e.* FROM %s e
    WHERE e.project_id = $1 AND e.lead_id = $2 AND e.external_id = $3 AND coalesce(e.source, '''') = coalesce($4, '''')
    ORDER BY e.merged_from NULLS FIRST LIMIT 1', leadgate.shard_of('event', project)) INTO known USING project, lead, key, origin;
  RETURN known;
END $$;

-- The values of indexes of fields; see 0051.
DO $do$
DECLARE
  home text;
  part text;
BEGIN
  FOR home, part IN VALUES ('text', 'left(m.%s, 500)'), ('number', 'm.%s::double precision'), ('moment', 'm.%s::timestamptz') LOOP
    EXECUTE format($f$
      CREATE OR REPLACE FUNCTION move_%1$ss(moves index_move[]) RETURNS void LANGUAGE plpgsql
        SET search_path = leadgate, public SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
      DECLARE
        shard text := shard_of('lead_order_%1$s', moves[1].project_id);
      BEGIN
        EXECUTE format('DELETE FROM %%1$s v USING unnest($1) m WHERE m.home = ''%1$s'' AND m.had
          AND v.project_id = m.project_id AND v.index_id = m.index_id AND v.lead_id = m.lead_id AND v.value = %2$s', shard) USING moves;
        EXECUTE format('DELETE FROM %%1$s v USING unnest($1) m WHERE m.home = ''%1$s'' AND m.had AND m.former IS NULL
          AND v.project_id = m.project_id AND v.index_id = m.index_id AND v.lead_id = m.lead_id AND v.value IS NULL', shard) USING moves;
        EXECUTE format('INSERT INTO %%1$s (project_id, index_id, lead_id, value)
          SELECT m.project_id, m.index_id, m.lead_id, %3$s FROM unnest($1) m WHERE m.home = ''%1$s'' AND m.has
          ORDER BY m.project_id, m.index_id, 4, m.lead_id ON CONFLICT DO NOTHING', shard) USING moves;
      END $$;
    $f$, home, format(part, 'former'), format(part, 'fresh'));
  END LOOP;
END $do$;

CREATE OR REPLACE FUNCTION move_parts(moves index_move[]) RETURNS void LANGUAGE plpgsql
  SET search_path = leadgate, public SET enable_seqscan = off SET enable_hashjoin = off SET enable_mergejoin = off AS $$
DECLARE
  shard text := shard_of('lead_parts', moves[1].project_id);
BEGIN
  EXECUTE format('DELETE FROM %s v USING unnest($1) m WHERE m.home = ''parts'' AND m.had AND (NOT m.has OR m.fresh IS NULL)
    AND v.project_id = m.project_id AND v.index_id = m.index_id AND v.lead_id = m.lead_id', shard) USING moves;
  EXECUTE format('INSERT INTO %s AS v (project_id, index_id, lead_id, value)
    SELECT m.project_id, m.index_id, m.lead_id, m.fresh FROM unnest($1) m WHERE m.home = ''parts'' AND m.has AND m.fresh IS NOT NULL
    ORDER BY m.project_id, m.index_id, m.lead_id
    ON CONFLICT (project_id, index_id, lead_id) DO UPDATE SET value = excluded.value WHERE v.value <> excluded.value', shard) USING moves;
END $$;

CREATE OR REPLACE FUNCTION move_values(moves index_move[]) RETURNS void LANGUAGE plpgsql SET search_path = leadgate, public AS $$
DECLARE
  homes text[] := ARRAY(SELECT DISTINCT m.home FROM unnest(moves) m);
BEGIN
  IF 'text' = ANY (homes) THEN
    PERFORM move_texts(moves);
    PERFORM FROM unnest(moves) m WHERE m.home = 'text' AND length(m.fresh) > 500 LIMIT 1;
    IF FOUND THEN
      EXECUTE format('UPDATE %s i SET cut = true FROM unnest($1) m
        WHERE m.home = ''text'' AND length(m.fresh) > 500 AND i.project_id = m.project_id AND i.id = m.index_id AND NOT i.cut',
        shard_of('field_index', moves[1].project_id)) USING moves;
    END IF;
  END IF;
  IF 'number' = ANY (homes) THEN PERFORM move_numbers(moves); END IF;
  IF 'moment' = ANY (homes) THEN PERFORM move_moments(moves); END IF;
  IF 'parts' = ANY (homes) THEN PERFORM move_parts(moves); END IF;
END $$;

-- A trigger of a shard; see 0077. All rows that one statement writes in a shard are of one project, since a statement names its project.
CREATE OR REPLACE FUNCTION keep_indexes() RETURNS trigger LANGUAGE plpgsql SET search_path = leadgate, public AS $$
DECLARE
  project text;
  shard text;
  moves index_move[];
  is_indexed boolean;
BEGIN
  IF TG_OP = 'DELETE' THEN
    SELECT project_id INTO project FROM gone LIMIT 1;
  ELSE
    SELECT project_id INTO project FROM fresh LIMIT 1;
  END IF;
  IF project IS NULL THEN RETURN NULL; END IF;
  shard := shard_of('field_index', project);
  EXECUTE format('SELECT EXISTS (SELECT FROM %s WHERE project_id = $1)', shard) INTO is_indexed USING project;
  IF NOT is_indexed THEN RETURN NULL; END IF;
  IF TG_OP = 'DELETE' THEN
    EXECUTE format('SELECT array_agg(ROW(l.project_id, i.id, index_home(i.kind, i.form), l.id,
        true, indexed_value(i.form, l.lead #> i.path), false, NULL)::index_move)
      FROM (SELECT project_id, id, indexed_lead(to_jsonb(gone)) AS lead FROM gone WHERE deleted_at IS NULL AND merged_into_id IS NULL OFFSET 0) l
      JOIN %s i ON i.project_id = l.project_id', shard) INTO moves;
  ELSIF TG_OP = 'INSERT' THEN
    EXECUTE format('SELECT array_agg(ROW(l.project_id, i.id, index_home(i.kind, i.form), l.id,
        false, NULL, true, indexed_value(i.form, l.lead #> i.path))::index_move)
      FROM (SELECT project_id, id, indexed_lead(to_jsonb(fresh)) AS lead FROM fresh WHERE deleted_at IS NULL AND merged_into_id IS NULL OFFSET 0) l
      JOIN %s i ON i.project_id = l.project_id AND i.dropped_at IS NULL', shard) INTO moves;
  ELSE
    EXECUTE format('SELECT array_agg(ROW(project_id, index_id, home, id, lived, former, lives, fresh)::index_move) FROM (
      SELECT l.project_id, i.id AS index_id, index_home(i.kind, i.form) AS home, l.id, lived, lives AND i.dropped_at IS NULL AS lives,
        CASE WHEN lived THEN indexed_value(i.form, l.old #> i.path) END AS former,
        CASE WHEN lives THEN indexed_value(i.form, l.new #> i.path) END AS fresh
      FROM (
        SELECT n.project_id, n.id, indexed_lead(to_jsonb(o)) AS old, indexed_lead(to_jsonb(n)) AS new,
          o.deleted_at IS NULL AND o.merged_into_id IS NULL AS lived, n.deleted_at IS NULL AND n.merged_into_id IS NULL AS lives
        FROM fresh n JOIN gone o ON o.project_id = n.project_id AND o.id = n.id OFFSET 0
      ) l JOIN %s i ON i.project_id = l.project_id
      WHERE lived <> lives OR lives AND l.old #> i.path IS DISTINCT FROM l.new #> i.path OFFSET 0
    ) AS changed WHERE lived <> lives OR former IS DISTINCT FROM fresh', shard) INTO moves;
  END IF;
  IF moves IS NOT NULL THEN PERFORM move_values(moves); END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION remove_values(project text, index integer, kind text, form text, most integer) RETURNS integer
  LANGUAGE plpgsql SET search_path = leadgate, public AS $$
DECLARE
  removed integer;
BEGIN
  EXECUTE format('DELETE FROM %1$s WHERE project_id = $1 AND index_id = $2 AND ctid = ANY (ARRAY(
    SELECT ctid FROM %1$s WHERE project_id = $1 AND index_id = $2 LIMIT $3))',
    shard_of(CASE index_home(kind, form) WHEN 'parts' THEN 'lead_parts' ELSE 'lead_order_' || index_home(kind, form) END, project))
    USING project, index, most;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;

-- See 0065. The coordinator alone numbers the feed, so its transactions are those that count, and only it needs the new constant.
CREATE OR REPLACE FUNCTION continue_feed() RETURNS void LANGUAGE plpgsql
  SET citus.multi_task_query_log_level = 'off' SET citus.enable_ddl_propagation = off AS $$
DECLARE
  present bigint := pg_current_xact_id()::text::bigint;
  start bigint;
BEGIN
  LOCK TABLE store.event, store.tombstone, store.change_item IN SHARE ROW EXCLUSIVE MODE;
  start := greatest(present + leadgate.feed_offset(),
    (SELECT value::bigint FROM leadgate.service_state WHERE key = 'feed_start'),
    (SELECT max(tx::text::bigint) FROM store.event),
    (SELECT max(tx::text::bigint) FROM store.tombstone),
    (SELECT max(tx::text::bigint) FROM store.change_item WHERE told),
    (SELECT max(tx::text::bigint) FROM store.feed_gap)) + 4294967296;
  EXECUTE format('CREATE OR REPLACE FUNCTION leadgate.feed_offset() RETURNS bigint LANGUAGE sql STABLE RETURN %s::bigint', start - present);
  INSERT INTO leadgate.service_state (key, value) VALUES ('feed_start', start::text)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value;
END $$;

-- See 0065. Citus evaluates the defaults of some statements on the node of the shard: INSERT … SELECT in a CTE from a table of projects, and
-- INSERT … SELECT behind a CTE. The number of another node would put the row anywhere in the feed, so the statement fails.
CREATE OR REPLACE FUNCTION feed_tx(transaction xid8) RETURNS xid8 LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF (SELECT groupid FROM pg_catalog.pg_dist_local_group) <> 0 THEN
    RAISE EXCEPTION 'the feed is numbered by the coordinator, not by a worker';
  END IF;
  RETURN (transaction::text::bigint + leadgate.feed_offset())::text::xid8;
END $$;

-- Leads with what tells their states apart, as the view of 0018, which shows the project of a setting. Not the transaction that wrote a
-- lead: nodes number transactions each for itself, and Citus fails if a filter with a system column is always false.
CREATE OR REPLACE VIEW store.written_lead AS SELECT md5(lead::text) AS written_by, lead.* FROM store.lead;

-- The last statement: by this function, a start sees that the projects are distributed. It returns the name of the table that holds
-- a project's rows on the node that holds the project.
CREATE OR REPLACE FUNCTION shard_of(name text, project text) RETURNS text LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN format('store.%I', name || '_' || get_shard_id_for_distribution_column(format('store.%I', name)::regclass, project));
