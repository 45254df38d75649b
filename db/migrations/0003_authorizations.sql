-- Registered applications, authorization codes, authorizations with their current refresh token, access tokens.

CREATE TABLE client (
  id text COLLATE "C" PRIMARY KEY,
  metadata jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT moment(),
  authorized_at timestamptz
);
-- applications that nobody ever let in are forgotten after a while
CREATE INDEX client_never_authorized ON client (created_at) WHERE authorized_at IS NULL;

-- Registration calls of the last hour, as many as an address may make.
CREATE TABLE registration_turn (
  address text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX registration_turn_of ON registration_turn (address, at);
CREATE INDEX registration_turn_age ON registration_turn (at);

-- What a person chose last for an application, to be pre-selected when it asks again.
CREATE TABLE consent_choice (
  person_id text COLLATE "C" NOT NULL REFERENCES person ON DELETE CASCADE,
  client_id text COLLATE "C" NOT NULL,
  project_id text COLLATE "C" NOT NULL,
  declined text[] NOT NULL,
  chosen_at timestamptz NOT NULL DEFAULT moment(),
  PRIMARY KEY (person_id, client_id)
);

-- The person's consent: an application may do `scopes` in this project. It holds its current refresh token.
CREATE TABLE store."authorization" (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  client_name text NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  generation integer NOT NULL DEFAULT 1,
  refresh_hash bytea NOT NULL,
  refresh_issued_at timestamptz NOT NULL DEFAULT moment(),
  refresh_expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL DEFAULT moment(),
  last_used_at timestamptz,
  revoked_at timestamptz,
  revoked_why text,
  PRIMARY KEY (project_id, id)
);
CREATE INDEX authorization_of_person ON store."authorization" (project_id, person_id);

CREATE TABLE store.authorization_code (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  hash bytea NOT NULL,
  client_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  redirect_uri text NOT NULL,
  scopes text[] NOT NULL,
  challenge text NOT NULL,
  issued_at timestamptz NOT NULL DEFAULT moment(),
  expires_at timestamptz NOT NULL,
  consumed_at timestamptz,
  PRIMARY KEY (project_id, hash)
);
CREATE INDEX authorization_code_expiry ON store.authorization_code (project_id, expires_at);

CREATE TABLE store.access_token (
  project_id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  authorization_id text COLLATE "C" NOT NULL,
  scopes text[] NOT NULL,
  issued_at timestamptz NOT NULL DEFAULT moment(),
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  PRIMARY KEY (project_id, hash),
  FOREIGN KEY (project_id, authorization_id) REFERENCES store."authorization" (project_id, id) ON DELETE CASCADE
);
CREATE INDEX access_token_of ON store.access_token (project_id, authorization_id);
CREATE INDEX access_token_expiry ON store.access_token (project_id, expires_at);

SELECT wall('authorization'), wall('authorization_code'), wall('access_token');
