-- The feed tells what happened to a lead in the order in which it happened: docs/decisions/0044.
-- expand

ALTER TABLE store.lead
  -- where the feed tells the lead's last event; null if that is from before
  ADD last_tx xid8;

ALTER TABLE store.event
  -- the lead's version after it; null for events from before
  ADD version integer,
  -- among those of the same `tx`: its id, unless the lead's event before it is from a later transaction
  ADD place text COLLATE "C";
ALTER TABLE store.tombstone
  ADD version integer,
  ADD place text COLLATE "C";
ALTER TABLE store.change_item
  ADD place text COLLATE "C";

SELECT wall('lead'), wall('event'), wall('tombstone'), wall('change_item');
CREATE OR REPLACE VIEW leadgate.written_lead AS
SELECT lead.xmin AS written_by, lead.* FROM store.lead WHERE lead.project_id = leadgate.own_project();
