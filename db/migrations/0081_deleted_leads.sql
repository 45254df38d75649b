-- Deleted leads are listed, the last deleted first.
-- expand
-- without a transaction

CREATE INDEX CONCURRENTLY IF NOT EXISTS lead_deleted ON store.lead (project_id, deleted_at DESC, id) WHERE deleted_at IS NOT NULL AND merged_into_id IS NULL;
