-- Datasets: typed tables of a project's own, whose rows enrich leads and feed filters.

CREATE TABLE store.dataset (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- in their order: [{slot, key, label, type, required, unique, options}]. Rows keep their values by slot, which is
  -- never given twice, so that a column is renamed or dropped without a look at any row.
  columns jsonb NOT NULL,
  key_column text COLLATE "C",
  -- {column, match, side}: by which column rows mean leads, and which of link0 and link1 says so
  lead_link jsonb,
  -- a change that goes through the rows, a thousand at a time: {token, columns: {slot: column}, link}. Writers fill
  -- what is and what will be; readers see what is.
  change jsonb,
  change_beat timestamptz,
  -- [{path, code, message}]: why the last change was not made
  change_faults jsonb,
  -- [{slot, side, at}]: what rows no longer need
  dropped jsonb NOT NULL DEFAULT '[]',
  slots integer NOT NULL DEFAULT 0,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  deleted_at timestamptz,
  PRIMARY KEY (project_id, id)
);
CREATE UNIQUE INDEX dataset_key ON store.dataset (project_id, key) WHERE deleted_at IS NULL;

-- What a search for words looks through: the texts of a row.
CREATE FUNCTION row_words(cells jsonb) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN fold((SELECT string_agg(value #>> '{}', ' ' ORDER BY key) FROM jsonb_each(cells) WHERE jsonb_typeof(value) = 'string'));

-- What two values of a unique column must not share: a hash, because an index entry holds 2,704 bytes.
CREATE FUNCTION unique_value(value text, folded boolean) RETURNS bytea LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN sha256(convert_to(CASE WHEN folded THEN fold(value) ELSE value END, 'UTF8'));

CREATE TABLE store.dataset_row (
  project_id text COLLATE "C" NOT NULL,
  dataset_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  cells jsonb NOT NULL DEFAULT '{}',
  -- the identity of the leads it means: looked up when it is asked for, so that leads may come, go and change
  link0 text,
  link1 text,
  version integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT moment(),
  updated_at timestamptz NOT NULL DEFAULT moment(),
  search_text text GENERATED ALWAYS AS (row_words(cells)) STORED,
  PRIMARY KEY (project_id, dataset_id, id),
  FOREIGN KEY (project_id, dataset_id) REFERENCES store.dataset (project_id, id) ON DELETE CASCADE
);
-- newest first, and every page without a filter
CREATE INDEX dataset_row_newest ON store.dataset_row (project_id, dataset_id, created_at DESC, id);
-- from a lead to its rows
CREATE INDEX dataset_row_link0 ON store.dataset_row (project_id, dataset_id, link0) WHERE link0 IS NOT NULL;
CREATE INDEX dataset_row_link1 ON store.dataset_row (project_id, dataset_id, link1) WHERE link1 IS NOT NULL;
-- a column's value, or a range of its numbers
CREATE INDEX dataset_row_cells ON store.dataset_row USING gin (project_id, dataset_id, custom_terms(cells));
-- words in any text
CREATE INDEX dataset_row_words ON store.dataset_row USING gin (project_id, dataset_id, search_text gin_trgm_ops);

-- The values of unique columns: two rows cannot have the same, whoever writes at the same time.
CREATE TABLE store.dataset_unique (
  project_id text COLLATE "C" NOT NULL,
  dataset_id text COLLATE "C" NOT NULL,
  slot text COLLATE "C" NOT NULL,
  value bytea NOT NULL,
  row_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, dataset_id, slot, value),
  FOREIGN KEY (project_id, dataset_id, row_id) REFERENCES store.dataset_row (project_id, dataset_id, id) ON DELETE CASCADE
);
CREATE INDEX dataset_unique_of_row ON store.dataset_unique (project_id, dataset_id, row_id);

SELECT wall('dataset'), wall('dataset_row'), wall('dataset_unique');
