-- Erasing a person reads their part of a project by indexes, so that it holds its locks only briefly.

-- what imports changed on a lead
CREATE INDEX import_change_of_lead ON store.import_change (project_id, lead_id);
-- merges that a lead was lost in; merge_of_lead has those that it won
CREATE INDEX merge_of_loser ON store.merge (project_id, loser_id);
-- certificates of erased persons
CREATE INDEX audit_of_erasures ON audit (project_id) WHERE action = 'person.erased';
