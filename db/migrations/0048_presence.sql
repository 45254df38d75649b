-- Who has a lead open in the panel, so that colleagues see it. Rows are worth a minute, so a crash may lose them.

CREATE UNLOGGED TABLE store.presence (
  project_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  person_id text COLLATE "C" NOT NULL,
  -- one opening of the lead in a tab: a person may have it open several times
  viewer text COLLATE "C" NOT NULL,
  seen_at timestamptz NOT NULL DEFAULT moment(),
  PRIMARY KEY (project_id, lead_id, person_id, viewer),
  FOREIGN KEY (project_id, lead_id) REFERENCES store.lead (project_id, id) ON DELETE CASCADE
);
SELECT wall('presence');
