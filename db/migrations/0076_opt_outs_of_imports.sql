-- How many rows of an import opt out of being contacted, and how many would have cleared an opt-out that their lead has.
-- expand

ALTER TABLE store.import ADD opted_out integer NOT NULL DEFAULT 0, ADD opt_outs_kept integer NOT NULL DEFAULT 0;
SELECT wall('import');
