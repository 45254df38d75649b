-- Imports from upload to undo: the file in pieces so that any instance can work on it, what was found in it, how its
-- columns become fields, every row that failed, and what an undo needs.

ALTER TABLE store.import
  DROP CONSTRAINT import_state_check,
  ADD CONSTRAINT import_state_check CHECK (state IN
    ('uploading', 'ready', 'checking', 'waiting', 'running', 'done', 'failed', 'cancelled', 'undoing', 'undone')),
  ALTER started_at DROP NOT NULL,
  ALTER started_at DROP DEFAULT,
  ADD actor jsonb NOT NULL DEFAULT '{}',
  ADD created_at timestamptz NOT NULL DEFAULT moment(),
  -- when its file, its failed rows and its undo go
  ADD expires_at timestamptz NOT NULL DEFAULT moment() + interval '30 days',
  ADD bytes bigint,
  -- how the bytes are read: format, encoding, delimiter, names of the columns
  ADD shape jsonb,
  -- what each column looks like
  ADD columns jsonb,
  -- the records of the file
  ADD records integer,
  ADD preset jsonb,
  ADD mapping jsonb,
  -- what has to be declared before anything is written
  ADD questions jsonb,
  ADD dry_run jsonb,
  ADD undo jsonb,
  ADD error jsonb,
  -- the job that works on it, or did; the command line has none
  ADD job_id text COLLATE "C";

CREATE TABLE store.import_piece (
  project_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  number integer NOT NULL,
  bytes bytea NOT NULL,
  PRIMARY KEY (project_id, import_id, number),
  FOREIGN KEY (project_id, import_id) REFERENCES store.import (project_id, id) ON DELETE CASCADE
);

-- A row that failed, as it stood in the file, with all that is wrong with it.
CREATE TABLE store.import_failure (
  project_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  -- the how-manieth record of the file
  number integer NOT NULL,
  -- the line where it starts
  row integer NOT NULL,
  cells jsonb NOT NULL,
  faults jsonb NOT NULL,
  PRIMARY KEY (project_id, import_id, number),
  FOREIGN KEY (project_id, import_id) REFERENCES store.import (project_id, id) ON DELETE CASCADE
);

-- A lead that was there before and that the import changed (one that it created is known by lead.import_id), and
-- why an undo left it alone.
CREATE TABLE store.import_change (
  project_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  -- the lead's version after the import
  version integer NOT NULL,
  -- fields with what they were and what they became
  before jsonb NOT NULL DEFAULT '{}',
  after jsonb NOT NULL DEFAULT '{}',
  undone boolean NOT NULL DEFAULT false,
  -- {reason, fields}
  kept jsonb,
  PRIMARY KEY (project_id, import_id, lead_id),
  FOREIGN KEY (project_id, import_id) REFERENCES store.import (project_id, id) ON DELETE CASCADE
);

ALTER TABLE store.job DROP CONSTRAINT job_kind_check,
  ADD CONSTRAINT job_kind_check CHECK (kind IN ('export', 'bulk', 'import'));

SELECT wall('import'), wall('import_piece'), wall('import_failure'), wall('import_change');
