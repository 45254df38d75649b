-- Applications that ask before each change, and the changes that they asked for.
-- expand

ALTER TABLE store."authorization"
  -- 'propose': its tokens change nothing until the person has approved it
  ADD writes text COLLATE "C" NOT NULL DEFAULT 'write' CHECK (writes IN ('write', 'propose'));
ALTER TABLE store.authorization_code
  ADD writes text COLLATE "C" NOT NULL DEFAULT 'write' CHECK (writes IN ('write', 'propose'));
ALTER TABLE consent_choice
  ADD writes text COLLATE "C" NOT NULL DEFAULT 'write' CHECK (writes IN ('write', 'propose'));

ALTER TABLE store.access_token
  -- the approval for which it was issued; nobody has its text
  ADD approval_id text COLLATE "C";

CREATE TABLE store.approval (
  project_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  authorization_id text COLLATE "C" NOT NULL,
  -- who granted the authorization, and alone may decide
  person_id text COLLATE "C" NOT NULL,
  -- of the token that asked
  scopes text[] NOT NULL,
  operation text COLLATE "C" NOT NULL,
  -- in the application's words
  title text NOT NULL,
  -- null once it is decided or has expired
  input jsonb,
  -- of operation and input, so that the same work waits once
  digest bytea NOT NULL,
  state text COLLATE "C" NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'running', 'done', 'failed', 'declined', 'expired')),
  created_at timestamptz NOT NULL DEFAULT moment(),
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  -- of the request that approved it, by which its change is found if the process was killed
  request_id text COLLATE "C",
  change_id text COLLATE "C",
  -- what was done, by ids; or why it failed: {code, message}
  outcome jsonb,
  PRIMARY KEY (project_id, id),
  FOREIGN KEY (project_id, authorization_id) REFERENCES store."authorization" (project_id, id) ON DELETE CASCADE
);
-- what waits for an application
CREATE INDEX approval_of_authorization ON store.approval (project_id, authorization_id, state);
-- what has not ended
CREATE INDEX approval_open ON store.approval (project_id, id) WHERE state IN ('waiting', 'running');

SELECT wall('authorization'), wall('authorization_code'), wall('access_token'), wall('approval');
