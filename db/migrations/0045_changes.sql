-- Changes: every write of a project is one, so that people can undo it, systems follow it and assistants read it.
-- The values that a change replaced are in the events of its leads; items hold those that no event tells.

CREATE TABLE store.change (
  -- no foreign key: its check would lock the project's row for each write; projects are deleted with their changes
  project_id text COLLATE "C" NOT NULL,
  -- ids are ordered by time
  id text COLLATE "C" NOT NULL,
  kind text COLLATE "C" NOT NULL,
  -- api, mcp, panel, cli or service
  surface text NOT NULL,
  actor jsonb NOT NULL,
  -- the person who made it, also through an application
  person_id text COLLATE "C",
  request_id text,
  -- the only lead that it was for
  lead_id text COLLATE "C",
  -- what it was for, without values of leads: {op, fields, dataset_id, import_id, merge_id, field}
  about jsonb NOT NULL DEFAULT '{}',
  -- {leads_updated: 3}
  counts jsonb NOT NULL DEFAULT '{}',
  -- the job that makes it
  job_id text COLLATE "C",
  -- the change that it takes back
  undoes text COLLATE "C",
  -- the latest change that took it back, unless that was taken back itself
  undone_by text COLLATE "C",
  -- the size of its items
  bytes bigint NOT NULL DEFAULT 0,
  -- when its items were removed, because the project kept too many
  items_gone_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT moment(),
  PRIMARY KEY (project_id, id)
);
-- the size of what a project keeps, and what to remove first
CREATE INDEX change_kept ON store.change (project_id, id) WHERE bytes > 0;

-- Adds up what the parts of a change did: {"leads_updated": 2} and {"leads_updated": 1, "leads_created": 1}.
CREATE FUNCTION added_counts(one jsonb, other jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (SELECT coalesce(jsonb_object_agg(key, total), '{}') FROM (
  SELECT key, sum(value::bigint) AS total
  FROM (SELECT * FROM jsonb_each_text(one) UNION ALL SELECT * FROM jsonb_each_text(other)) AS both_of_them
  GROUP BY key) AS summed);

-- What a change did to one record, where no event has the values.
CREATE TABLE store.change_item (
  project_id text COLLATE "C" NOT NULL,
  change_id text COLLATE "C" NOT NULL,
  -- the event's id in the feed if it is `told`
  id text COLLATE "C" NOT NULL,
  -- lead: fields of a lead; hidden: those of one that was deleted or merged; row: cells of a dataset row; event: an event of a lead; field, statuses, untracked: definitions;
  -- kept: what an undo left alone
  kind text COLLATE "C" NOT NULL,
  -- the lead, row, event or field
  record_id text COLLATE "C" NOT NULL,
  dataset_id text COLLATE "C",
  -- the values by field or slot; before is null for a record that the change made, after for one that it removed
  before jsonb,
  after jsonb,
  -- the record's version after the change
  version integer,
  -- whether the feed tells it: changes of untracked fields
  told boolean NOT NULL DEFAULT false,
  at timestamptz NOT NULL DEFAULT moment(),
  tx xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (project_id, change_id, id),
  FOREIGN KEY (project_id, change_id) REFERENCES store.change (project_id, id) ON DELETE CASCADE
);
-- the feed, in the order of transactions as event_feed
CREATE INDEX change_item_feed ON store.change_item (project_id, tx, id) WHERE told;
-- what a change did to leads, in the order of their ids as event_of_change
CREATE INDEX change_item_leads ON store.change_item (project_id, change_id, record_id) WHERE kind = 'lead';
-- rows, among which an erasure looks for a person
CREATE INDEX change_item_rows ON store.change_item (project_id, dataset_id) WHERE kind = 'row';
-- what was done to a record
CREATE INDEX change_item_record ON store.change_item (project_id, record_id, change_id);

ALTER TABLE store.event
  -- the change that recorded it; null for events from before
  ADD change_id text COLLATE "C";
-- what a change did to leads, in the order of their ids
CREATE INDEX event_of_change ON store.event (project_id, change_id, lead_id) WHERE change_id IS NOT NULL;

-- The last word on a lead that is gone, for readers of the feed: erased, or merged into another one.
ALTER TABLE store.erased_lead RENAME TO tombstone;
DROP VIEW leadgate.erased_lead;
ALTER INDEX store.erased_lead_feed RENAME TO tombstone_feed;
ALTER TABLE store.tombstone RENAME COLUMN erased_at TO at;
ALTER TABLE store.tombstone
  ADD type text COLLATE "C" NOT NULL DEFAULT 'lead.erased',
  -- the lead that it was merged into
  ADD survivor_id text COLLATE "C",
  ADD change_id text COLLATE "C";
ALTER TABLE store.tombstone ALTER type DROP DEFAULT;
-- what is removed when a merged lead is erased
CREATE INDEX tombstone_of_lead ON store.tombstone (project_id, lead_id);

ALTER TABLE store.import
  ADD change_id text COLLATE "C";

ALTER TABLE store.merge
  ADD change_id text COLLATE "C",
  -- as the caller asked for it, to merge the two again
  ADD prefer jsonb;

ALTER TABLE store.job
  -- the change that it makes
  ADD change_id text COLLATE "C";
ALTER TABLE store.job DROP CONSTRAINT job_kind_check,
  ADD CONSTRAINT job_kind_check CHECK (kind IN ('export', 'bulk', 'import', 'undo'));

SELECT wall('change'), wall('change_item'), wall('event'), wall('tombstone'), wall('import'), wall('merge'), wall('job');
