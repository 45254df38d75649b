-- First and last names are found by words and parts of them, as names are: see 0077. Where the name is the same, the index of names
-- has them already.
-- expand
-- without a transaction

CREATE INDEX CONCURRENTLY IF NOT EXISTS lead_full_name ON store.lead USING gin (project_id, fold(full_name(first_name, last_name)) gin_trgm_ops) WHERE full_name(first_name, last_name) <> coalesce(name, '');
