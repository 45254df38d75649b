-- What an import leaves out, and whether a person's panel has shortcuts of a single key (WCAG 2.1.4).

ALTER TABLE store.import ADD skipped_columns jsonb;
SELECT wall('import');

ALTER TABLE person ADD single_keys boolean NOT NULL DEFAULT true;
