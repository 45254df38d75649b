-- Two releases serve one database during an upgrade: migrations say which release they need, instances which one they are.
-- expand
ALTER TABLE migration ADD needs text, ADD release text;
COMMENT ON COLUMN migration.needs IS 'The oldest release that may serve the database since then; NULL if the ones before may';
COMMENT ON COLUMN migration.release IS 'The release that applied it';
ALTER TABLE instance ADD release text;
COMMENT ON COLUMN instance.release IS 'The release that it is; NULL if it does not say it, as those before this migration';
