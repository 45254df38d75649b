-- A door that stays closed fails, so that what is behind it in its message never runs: on a cluster, its setting would be that of
-- another node.
-- expand

-- The DETAIL says what the door found; it is read by the service, and has no secrets.
CREATE FUNCTION closed(door jsonb) RETURNS text LANGUAGE plpgsql VOLATILE AS $$
BEGIN
  RAISE EXCEPTION 'the door is closed' USING ERRCODE = 'LG002', DETAIL = coalesce(door::text, 'null');
END $$;
