-- Totals of pages by status, source and time are counted in an index alone, without a look at the leads: each of the three
-- indexes that serve them has all of these columns. The source is there twice, because PostgreSQL reads an index alone only
-- if it has the column of an expression, too, and takes the expression from the index, where folding each source would cost
-- more than all else.
LOCK TABLE store.lead IN SHARE ROW EXCLUSIVE MODE;
SET LOCAL maintenance_work_mem = '256MB';

DROP INDEX store.lead_newest;
-- newest first, and every page without a filter
CREATE INDEX lead_newest ON store.lead (project_id, created_at DESC, id, status, fold(source)) INCLUDE (source)
  WHERE deleted_at IS NULL AND merged_into_id IS NULL;
DROP INDEX store.lead_status_source;
-- the usual two columns together, newest first
CREATE INDEX lead_status_source ON store.lead (project_id, status, fold(source), created_at DESC, id) INCLUDE (source)
  WHERE deleted_at IS NULL AND merged_into_id IS NULL;
DROP INDEX store.lead_source;
-- source alone, newest first
CREATE INDEX lead_source ON store.lead (project_id, fold(source), created_at DESC, id) INCLUDE (status, source)
  WHERE deleted_at IS NULL AND merged_into_id IS NULL;

-- An index alone is enough only where a vacuum has seen that all leads of a page are visible to everyone.
ALTER TABLE store.lead SET (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02);
