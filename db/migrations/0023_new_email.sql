-- A person can change the e-mail address of their account: the link that proves the new one.
CREATE TABLE new_email (
  hash bytea PRIMARY KEY,
  person_id text COLLATE "C" NOT NULL REFERENCES person ON DELETE CASCADE,
  email text NOT NULL,
  -- SHA-256 of the stored password hash when the change was asked for: a new password since ends the link
  password_mark bytea NOT NULL,
  expires_at timestamptz NOT NULL
);
-- only the newest link of a person works
CREATE UNIQUE INDEX new_email_of_person ON new_email (person_id);
-- what the sweep deletes
CREATE INDEX new_email_expiry ON new_email (expires_at);
