-- Imports into datasets: which dataset a file is for, and what an undo needs of the rows it wrote.

ALTER TABLE store.import
  -- null for leads; the import outlives its dataset as history
  ADD dataset_id text COLLATE "C";
-- a dataset's imports, newest first
CREATE INDEX import_of_dataset ON store.import (project_id, dataset_id, id) WHERE dataset_id IS NOT NULL;

-- A row that an import made or changed, and why an undo left it alone.
CREATE TABLE store.import_row (
  project_id text COLLATE "C" NOT NULL,
  import_id text COLLATE "C" NOT NULL,
  row_id text COLLATE "C" NOT NULL,
  -- the last record of the file that touched it: an undo goes back from the end
  number integer NOT NULL,
  -- the row's version after the import
  version integer NOT NULL,
  -- slots with what they were and what they became; before is null for a row that the import made
  before jsonb,
  after jsonb NOT NULL DEFAULT '{}',
  undone boolean NOT NULL DEFAULT false,
  -- {reason, fields}
  kept jsonb,
  PRIMARY KEY (project_id, import_id, row_id),
  FOREIGN KEY (project_id, import_id) REFERENCES store.import (project_id, id) ON DELETE CASCADE
);
-- what an undo has before it
CREATE INDEX import_row_latest ON store.import_row (project_id, import_id, number DESC, row_id)
  WHERE NOT undone AND kept IS NULL;

SELECT wall('import'), wall('import_row');
