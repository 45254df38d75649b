-- Authorizations name the key that signed their refresh token, and running instances say which keys they know, so that
-- keys can be changed during a rolling restart.

-- The fingerprint of the key; NULL until the first refresh if the token is from before this migration.
ALTER TABLE store."authorization" ADD signed_by text COLLATE "C";
SELECT wall('authorization');

-- Serving processes. Each renews its row every few seconds and deletes it when it stops; a row that is not renewed does not count.
CREATE TABLE instance (
  id text COLLATE "C" PRIMARY KEY,
  -- fingerprints of the keys that it knows, newest first
  keys text[] NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT moment()
);
