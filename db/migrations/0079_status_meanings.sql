-- What statuses mean where the project says so: open, won or lost. The meaning of others follows from their names.
-- expand

ALTER TABLE store.project ADD meanings jsonb NOT NULL DEFAULT '{}';
COMMENT ON COLUMN store.project.meanings IS 'meanings of statuses that were chosen, by status';
SELECT wall('project');
