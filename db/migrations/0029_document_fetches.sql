-- When an application's metadata document was last fetched: instances try whether they can reach the newest one.
ALTER TABLE client ADD document_read_at timestamptz;
UPDATE client SET document_read_at = created_at WHERE document_until IS NOT NULL;
-- the newest of few documents among many registrations
CREATE INDEX client_document_read ON client (document_read_at) WHERE document_read_at IS NOT NULL;
