-- What an import asks: the questions with their choices, what they are made of, what the sender declared, and the answers.
-- expand

ALTER TABLE store.import
  -- null for imports of a version that only had questions without choices
  ADD asked jsonb,
  -- what is known of the columns and rows besides what is shown; it has cells
  ADD facts jsonb,
  -- how the file is to be read, the program, and the mapping if one was given
  ADD said jsonb,
  -- by question: the choice, and the earlier import that it was taken over from
  ADD answers jsonb NOT NULL DEFAULT '{}',
  -- the same for files with the same columns
  ADD shape_key text COLLATE "C";

-- The last answers for files with the same columns.
CREATE INDEX import_answered ON store.import (project_id, shape_key, id) WHERE answers <> '{}';

SELECT wall('import');
