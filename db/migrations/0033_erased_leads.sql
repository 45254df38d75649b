-- Erasing removes a person from everything, so the change feed needs its last word on a lead somewhere else than on the lead.

CREATE TABLE store.erased_lead (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  -- the event's id in the feed
  id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT moment(),
  source text NOT NULL,
  -- who erased it, as events have it
  actor jsonb NOT NULL,
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (project_id, id)
);
-- the feed, in the order of transactions as event_feed
CREATE INDEX erased_lead_feed ON store.erased_lead (project_id, tx, id);

ALTER TABLE store.import
  -- when its file, failed rows and samples were removed with an erased person; NULL where they were not
  ADD erased_at timestamptz;

ALTER TABLE store.job
  -- whether the current run must start again: a lead was erased that its file may contain
  ADD restarts boolean NOT NULL DEFAULT false;

SELECT wall('erased_lead'), wall('import'), wall('job');

-- Samples of a file are kept no longer than the file.
UPDATE store.import SET columns = (
    SELECT jsonb_agg(profile || '{"samples": [], "values": null}' ORDER BY place)
    FROM jsonb_array_elements(columns) WITH ORDINALITY AS each (profile, place))
  WHERE expires_at <= moment() AND jsonb_typeof(columns) = 'array' AND columns <> '[]';
