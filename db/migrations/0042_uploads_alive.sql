-- A file is uploaded by one process; if that is killed, its import must not hold up the erasing of people for long.

ALTER TABLE store.import
  -- when its upload gave its last sign of life; NULL for imports from before
  ADD alive_at timestamptz;
SELECT wall('import');
