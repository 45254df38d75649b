-- What the whole leads API needs: the change feed, event conditions, saved views, merges that can be undone,
-- exports that run on their own, and statuses and fields that their project describes.

-- Events of outside systems are known by source and key, once for each lead; a merge keeps those of both
-- leads, and marks those that came along.
ALTER TABLE store.event ADD merged_from text COLLATE "C";
CREATE UNIQUE INDEX event_key ON store.event
  (project_id, lead_id, external_id, coalesce(source, ''), coalesce(merged_from, '')) WHERE external_id IS NOT NULL;
-- "had such an event": from the rare type to its leads
CREATE INDEX event_of_type ON store.event (project_id, type, occurred_at DESC, lead_id);

-- Which types are common in which project, so that event conditions are planned by it.
CREATE STATISTICS store.event_types (mcv) ON project_id, type FROM store.event;

-- What an index on an expression finds, for the planner: the statistics of a partial index are not asked.
CREATE STATISTICS store.lead_sources (mcv) ON project_id, status, fold(source) FROM store.lead;
CREATE STATISTICS store.lead_addresses ON lower(email) FROM store.lead;
-- Accents are rare, so that the long way of fold() is hardly ever gone; its default is a hundred.
ALTER FUNCTION fold_accents(text) COST 10;

-- A value of an event's data as a number, also where it was written as text; NULL where it is none.
CREATE FUNCTION data_number(data jsonb, key text) RETURNS numeric LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE jsonb_typeof(data -> key) WHEN 'number' THEN (data ->> key)::numeric
  WHEN 'string' THEN CASE WHEN data ->> key ~ '^-?\d{1,100}(\.\d{1,100})?$' THEN (data ->> key)::numeric END END;

-- The feed's order is that of transactions, so that one which commits late is not skipped. Rows from before
-- come first.
ALTER TABLE store.event ADD tx xid8 NOT NULL DEFAULT '0';
ALTER TABLE store.event ALTER tx SET DEFAULT pg_current_xact_id();
CREATE INDEX event_feed ON store.event (project_id, tx, id);

ALTER TABLE store.custom_field
  ADD description text,
  -- whether changes of the field are told in the timeline
  ADD timeline boolean NOT NULL DEFAULT true,
  ADD position integer NOT NULL DEFAULT 0;

-- Fields of every lead whose changes would flood the timeline of this project.
ALTER TABLE store.project ADD quiet_fields text[] NOT NULL DEFAULT '{}';

CREATE TABLE store.saved_view (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- {filter, search, sort, fields, timezone} as a query has them
  query jsonb NOT NULL,
  created_by jsonb NOT NULL DEFAULT '{}',
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  PRIMARY KEY (project_id, id)
);

-- What two leads were before they became one.
CREATE TABLE store.merge (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  winner_id text COLLATE "C" NOT NULL,
  loser_id text COLLATE "C" NOT NULL,
  -- the winner's fields that the merge changed: {field: {from, to}}
  changes jsonb NOT NULL,
  actor jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT moment(),
  undone_at timestamptz,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX merge_of_lead ON store.merge (project_id, winner_id);

-- Who may be the same person, besides by the identities of 0002: by name and company,
CREATE FUNCTION person_key(name text, first_name text, last_name text, company text) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN hashtextextended(fold(coalesce(name, first_name || ' ' || last_name)) || E'\n' || fold(company), 0);
CREATE INDEX lead_person ON store.lead (project_id, person_key(name, first_name, last_name, company))
  WHERE company IS NOT NULL AND coalesce(name, first_name || ' ' || last_name) IS NOT NULL;
-- by further e-mail addresses in any case,
CREATE FUNCTION lower_all(texts text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT lower(item) FROM unnest(texts) AS item);
CREATE INDEX lead_emails ON store.lead USING gin (project_id, lower_all(emails)) WHERE emails <> '{}';
-- and by the ends of further phone numbers, however they are written.
CREATE FUNCTION phone_ends(phones text[]) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN ARRAY(SELECT right(digits, 8) FROM unnest(phones) AS phone, regexp_replace(phone, '\D', '', 'g') AS digits WHERE length(digits) >= 8);
CREATE INDEX lead_phones ON store.lead USING gin (project_id, phone_ends(phones)) WHERE phones <> '{}';
CREATE INDEX lead_merged_into ON store.lead (project_id, merged_into_id) WHERE merged_into_id IS NOT NULL;

-- Work that outlives its request: an export to a file, a bulk change.
CREATE TABLE store.job (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  kind text NOT NULL CHECK (kind IN ('export', 'bulk')),
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed', 'cancelled')),
  input jsonb NOT NULL,
  actor jsonb NOT NULL,
  -- what its creator showed (hashes only): the work stands behind the same door
  credential jsonb NOT NULL,
  -- how often it was begun; only the latest may write
  attempt integer NOT NULL DEFAULT 0,
  -- rows done of rows expected
  done bigint NOT NULL DEFAULT 0,
  total bigint,
  result jsonb,
  error jsonb,
  created_at timestamptz NOT NULL DEFAULT moment(),
  started_at timestamptz,
  finished_at timestamptz,
  -- when its file goes
  expires_at timestamptz,
  PRIMARY KEY (project_id, id)
);

-- An export's file, in pieces, so that any instance can hand it out and a killed one leaves nothing behind.
CREATE TABLE store.job_piece (
  project_id text COLLATE "C" NOT NULL,
  job_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (project_id, job_id, number),
  FOREIGN KEY (project_id, job_id) REFERENCES store.job (project_id, id) ON DELETE CASCADE
);

-- Who a merged lead became, over any number of merges; NULL where that one was deleted.
CREATE FUNCTION survivor(project text, lead text) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  WITH RECURSIVE way (id, next, gone) AS (
    SELECT l.id, l.merged_into_id, l.deleted_at IS NOT NULL FROM store.lead l
    WHERE l.project_id = own_project() AND l.project_id = $1 AND l.id = $2
    UNION SELECT l.id, l.merged_into_id, l.deleted_at IS NOT NULL FROM store.lead l JOIN way ON l.id = way.next
    WHERE l.project_id = own_project() AND l.project_id = $1
  ) SELECT id FROM way WHERE next IS NULL AND NOT gone
$$;

SELECT wall('project'), wall('event'), wall('custom_field'), wall('saved_view'), wall('merge'), wall('job'), wall('job_piece');

-- The event of a lead that an outside system knows by this key. Volatile: behind the lead's lock it sees what was
-- committed while the statement waited for it, so that racing resends record one event.
CREATE FUNCTION known_event(project text, lead text, key text, origin text) RETURNS event LANGUAGE plpgsql VOLATILE AS $$
DECLARE
  known leadgate.event;
BEGIN
  SELECT e.* INTO known FROM leadgate.event e
  WHERE e.project_id = project AND e.lead_id = lead AND e.external_id = key AND coalesce(e.source, '') = coalesce(origin, '')
  ORDER BY e.merged_from NULLS FIRST LIMIT 1;
  RETURN known;
END $$;
