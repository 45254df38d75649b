-- New events sort behind those that a backup brought from another cluster, which counted other transaction ids: the feed adds a constant to the ids of this one.
-- expand

-- What the feed adds to a transaction id. A function, not a row, because every event that is written reads it: PostgreSQL puts
-- the constant into the plan. Only continue_feed() replaces it.
CREATE FUNCTION feed_offset() RETURNS bigint LANGUAGE sql STABLE RETURN 0::bigint;

-- The number by which the feed orders what a transaction writes.
CREATE FUNCTION feed_tx(transaction xid8) RETURNS xid8 LANGUAGE sql STABLE
RETURN (transaction::text::bigint + feed_offset())::text::xid8;

-- Makes all later events sort behind the present ones and behind every cursor, and writes no event. The distance is more than the
-- transactions that a former cluster can have made since its last event, since cursors count those too.
-- Its locks wait for writers that still use the former constant.
CREATE FUNCTION continue_feed() RETURNS void LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  present bigint := pg_current_xact_id()::text::bigint;
  start bigint;
BEGIN
  LOCK TABLE store.event, store.tombstone, store.change_item IN SHARE ROW EXCLUSIVE MODE;
  SELECT greatest(present + leadgate.feed_offset(),
      (SELECT value::bigint FROM leadgate.service_state WHERE key = 'feed_start'),
      max(last.tx::text::bigint)) + 4294967296
    INTO start
    FROM store.project p CROSS JOIN LATERAL (
      (SELECT tx FROM store.event e WHERE e.project_id = p.project_id ORDER BY tx DESC, id DESC LIMIT 1)
      UNION ALL
      (SELECT tx FROM store.tombstone e WHERE e.project_id = p.project_id ORDER BY tx DESC, id DESC LIMIT 1)
      UNION ALL
      (SELECT tx FROM store.change_item e WHERE e.project_id = p.project_id AND e.told ORDER BY tx DESC, id DESC LIMIT 1)
      UNION ALL
      (SELECT tx FROM store.feed_gap e WHERE e.project_id = p.project_id)
    ) AS last;
  EXECUTE format('CREATE OR REPLACE FUNCTION leadgate.feed_offset() RETURNS bigint LANGUAGE sql STABLE RETURN %s::bigint', start - present);
  INSERT INTO leadgate.service_state (key, value) VALUES ('feed_start', start::text)
    ON CONFLICT (key) DO UPDATE SET value = excluded.value;
END $$;

ALTER TABLE store.event ALTER tx SET DEFAULT feed_tx(pg_current_xact_id());
ALTER TABLE store.tombstone ALTER tx SET DEFAULT feed_tx(pg_current_xact_id());
ALTER TABLE store.change_item ALTER tx SET DEFAULT feed_tx(pg_current_xact_id());
