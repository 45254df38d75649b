-- People, projects and keys, and the wall between projects: project tables live in schema `store`,
-- and the service reads and writes them only through views that show one project at a time.

CREATE EXTENSION IF NOT EXISTS pg_trgm;
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE EXTENSION IF NOT EXISTS unaccent;
CREATE SCHEMA store;

-- The one clock of the service: everything that expires asks it.
CREATE FUNCTION moment() RETURNS timestamptz LANGUAGE sql STABLE PARALLEL SAFE RETURN now();

-- The project whose door was opened in this transaction; NULL shows nothing.
CREATE FUNCTION own_project() RETURNS text LANGUAGE sql STABLE PARALLEL SAFE
RETURN current_setting('leadgate.project', true);

-- Text as filters compare it: without case and accents. Immutable, so that indexes may hold it.
DO $$
DECLARE home text := (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'unaccent');
BEGIN
  EXECUTE format('CREATE FUNCTION leadgate.fold(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
    AS $f$ SELECT pg_catalog.lower(%1$I.unaccent(%2$L::regdictionary, value)) $f$', home, home || '.unaccent');
END $$;

-- Puts a project table behind the wall: a view of the same name that shows, and lets in, one project's rows.
CREATE FUNCTION wall(name text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  EXECUTE format('CREATE OR REPLACE VIEW leadgate.%1$I AS SELECT * FROM store.%1$I
    WHERE project_id = leadgate.own_project() WITH CASCADED CHECK OPTION', name);
END $$;

CREATE TABLE person (
  id text COLLATE "C" PRIMARY KEY,
  email text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  locale text NOT NULL DEFAULT 'en',
  created_at timestamptz NOT NULL DEFAULT moment()
);
CREATE UNIQUE INDEX person_email ON person (lower(email));

CREATE TABLE session (
  hash bytea PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT moment(),
  used_at timestamptz NOT NULL DEFAULT moment(),
  expires_at timestamptz NOT NULL
);
CREATE INDEX session_of_person ON session (person_id);
CREATE INDEX session_expiry ON session (expires_at);

-- The link on the console through which the first owner comes in.
CREATE TABLE setup_link (
  hash bytea PRIMARY KEY,
  expires_at timestamptz NOT NULL,
  used_at timestamptz
);

CREATE TABLE service_state (key text PRIMARY KEY, value text NOT NULL);
INSERT INTO service_state VALUES ('epoch', '1');

CREATE TABLE store.project (
  project_id text COLLATE "C" PRIMARY KEY,
  name text NOT NULL,
  slug text NOT NULL,
  timezone text NOT NULL DEFAULT 'UTC',
  default_country text,
  currency text,
  statuses text[] NOT NULL DEFAULT '{new,contacted,qualified,won,lost}',
  created_at timestamptz NOT NULL DEFAULT moment()
);

CREATE TABLE membership (
  person_id text COLLATE "C" NOT NULL REFERENCES person ON DELETE CASCADE,
  project_id text COLLATE "C" NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'editor', 'viewer')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  PRIMARY KEY (person_id, project_id)
);
CREATE INDEX membership_of_project ON membership (project_id);

CREATE TABLE store.api_key (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  hash bytea NOT NULL,
  permissions text[] NOT NULL,
  created_by text COLLATE "C",
  created_at timestamptz NOT NULL DEFAULT moment(),
  last_used_at timestamptz,
  expires_at timestamptz,
  revoked_at timestamptz,
  PRIMARY KEY (project_id, id)
);

-- Who did what to people, keys and authorizations; never the data itself.
CREATE TABLE audit (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT moment(),
  action text NOT NULL,
  project_id text COLLATE "C",
  person_id text COLLATE "C",
  actor text,
  data jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX audit_of_project ON audit (project_id, at DESC);
CREATE INDEX audit_of_person ON audit (person_id, at DESC);

SELECT wall('project'), wall('api_key');
