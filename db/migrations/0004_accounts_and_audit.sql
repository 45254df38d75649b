-- People look after their own accounts: links to come in, second factors, passkeys, invitations; and the
-- audit log says from where. Documents of applications that never registered are kept beside those that did.

-- NULL follows the person's browser.
ALTER TABLE person ALTER COLUMN locale DROP NOT NULL, ALTER COLUMN locale DROP DEFAULT,
  ADD CONSTRAINT person_locale CHECK (locale IN ('en', 'pt-BR'));
UPDATE person SET locale = NULL;

ALTER TABLE person
  -- the secret of the authenticator app, sealed; here only once its first code came back
  ADD totp_sealed text,
  ADD totp_since timestamptz,
  -- the last time step whose code was taken: a code works once
  ADD totp_step bigint NOT NULL DEFAULT 0,
  ADD password_changed_at timestamptz NOT NULL DEFAULT moment();

-- One-time codes for whoever lost the authenticator.
CREATE TABLE recovery_code (
  person_id text COLLATE "C" NOT NULL REFERENCES person ON DELETE CASCADE,
  hash bytea NOT NULL,
  PRIMARY KEY (person_id, hash)
);

CREATE TABLE passkey (
  id text COLLATE "C" PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person ON DELETE CASCADE,
  public_key bytea NOT NULL,
  counter bigint NOT NULL DEFAULT 0,
  transports text[] NOT NULL DEFAULT '{}',
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT moment(),
  last_used_at timestamptz
);
CREATE INDEX passkey_of_person ON passkey (person_id);

-- Challenges that a passkey must answer, each once.
CREATE TABLE passkey_challenge (
  hash bytea PRIMARY KEY,
  -- whose new passkey it is for; NULL at sign-in
  person_id text COLLATE "C" REFERENCES person ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_challenge_expiry ON passkey_challenge (expires_at);

-- Where and with what a session was started, for its person to recognise.
ALTER TABLE session ADD id text COLLATE "C", ADD address text, ADD agent text;
UPDATE session SET id = 'ses_' || encode(sha256(hash), 'hex');
ALTER TABLE session ALTER COLUMN id SET NOT NULL;

-- The link through which somebody sets a new password.
CREATE TABLE reset_link (
  hash bytea PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person ON DELETE CASCADE,
  created_at timestamptz NOT NULL DEFAULT moment(),
  expires_at timestamptz NOT NULL
);
-- only the newest link of a person works
CREATE UNIQUE INDEX reset_link_of_person ON reset_link (person_id);

-- Reset mails asked for in the last hour, by where from.
CREATE TABLE reset_turn (
  address text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL
);
CREATE INDEX reset_turn_of ON reset_turn (address, at);
CREATE INDEX reset_turn_age ON reset_turn (at);

-- Deleted projects: nobody reaches them any more, and their rows go in small batches.
CREATE TABLE project_to_erase (
  project_id text COLLATE "C" PRIMARY KEY,
  deleted_at timestamptz NOT NULL DEFAULT moment()
);

-- Failed sign-ins of late: a row for whom they tried or where they came from, and until when they count.
CREATE TABLE sign_in_failure (
  bucket text COLLATE "C" PRIMARY KEY,
  until timestamptz NOT NULL
);
CREATE INDEX sign_in_failure_until ON sign_in_failure (until);

-- Somebody was asked into a project.
CREATE TABLE store.invitation (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  id text COLLATE "C" NOT NULL,
  hash bytea NOT NULL,
  email text NOT NULL,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'editor', 'viewer')),
  invited_by text COLLATE "C" NOT NULL,
  created_at timestamptz NOT NULL DEFAULT moment(),
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (project_id, id)
);
CREATE UNIQUE INDEX invitation_hash ON store.invitation (project_id, hash);
SELECT wall('invitation');

-- From where and in which request something was done; `actor` stays who did it.
ALTER TABLE audit ADD address text, ADD request_id text;
DROP INDEX audit_of_project;
DROP INDEX audit_of_person;
CREATE INDEX audit_of_project ON audit (project_id, id DESC);
CREATE INDEX audit_of_person ON audit (person_id, id DESC);

-- An application known by its metadata document: its id is the document's address, and this its date.
ALTER TABLE client ADD document_until timestamptz;

-- Every exchange would lock its project's row for these keys, and those of one project wait for each other.
-- Deleting a project removes both kinds of rows by name.
ALTER TABLE store."authorization" DROP CONSTRAINT authorization_project_id_fkey;
ALTER TABLE store.authorization_code DROP CONSTRAINT authorization_code_project_id_fkey;

-- On tables that were never analyzed the planner took these for the way to one token, and read a project's all.
-- Sweeps read the keys, and every exchange and refresh writes an index less.
DROP INDEX store.access_token_expiry;
DROP INDEX store.authorization_code_expiry;
