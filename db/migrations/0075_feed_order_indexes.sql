-- Few events have a place: see 0074.
-- expand
-- without a transaction

CREATE INDEX CONCURRENTLY IF NOT EXISTS event_place ON store.event (project_id, tx, place) WHERE place IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS tombstone_place ON store.tombstone (project_id, tx, place) WHERE place IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS change_item_place ON store.change_item (project_id, tx, place) WHERE place IS NOT NULL;
