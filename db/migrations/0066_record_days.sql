-- Records of what has ended are removed after RECORD_DAYS: indexes by which the sweep finds them, and what readers of the feed need to know.
-- expand

-- what the sweep removes first
CREATE INDEX job_finished ON store.job (project_id, finished_at) WHERE finished_at IS NOT NULL;
-- what the sweep removes first
CREATE INDEX import_created ON store.import (project_id, created_at);
-- whether a job is still needed: an import shows the state of its job
CREATE INDEX import_of_job ON store.import (project_id, job_id) WHERE job_id IS NOT NULL;
-- what the sweep removes first; what a merge leaves is kept as long as the lead
CREATE INDEX tombstone_erased ON store.tombstone (project_id, at) WHERE type = 'lead.erased';

-- The last lead.erased that was removed. Separate from tx and id, which readers of other types are asked about.
ALTER TABLE store.feed_gap ADD erased_tx xid8, ADD erased_id text COLLATE "C";
SELECT wall('feed_gap');

-- Applications that register at every connection grow without end; authorized_at is now the latest approval.
COMMENT ON COLUMN client.authorized_at IS 'When a person last gave it access; NULL if nobody did';
CREATE INDEX client_last_authorized ON client (authorized_at, id) WHERE authorized_at IS NOT NULL;

-- What a person chose for an application goes with the application.
DELETE FROM consent_choice c WHERE NOT EXISTS (SELECT FROM client WHERE id = c.client_id);
CREATE INDEX consent_choice_of_client ON consent_choice (client_id);
ALTER TABLE consent_choice ADD FOREIGN KEY (client_id) REFERENCES client ON DELETE CASCADE;
