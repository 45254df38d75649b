-- Entries of the audit log can be with their project on a cluster: what happens again and again is counted within its project.
-- Entries of no project are of the project ''.
-- expand

-- `once`, which releases before this one write, is unique over all projects.
ALTER TABLE audit ADD counted_as text COLLATE "C";
UPDATE audit SET counted_as = once, project_id = coalesce(project_id, '') WHERE once IS NOT NULL;
CREATE UNIQUE INDEX audit_counted ON audit (project_id, counted_as) WHERE counted_as IS NOT NULL;
