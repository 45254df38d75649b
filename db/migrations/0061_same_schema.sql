-- A write that was read with a project's custom fields, statuses and members fails if these are others by now.
CREATE FUNCTION must_equal(present text, known text) RETURNS void LANGUAGE plpgsql STABLE AS $$
BEGIN
  IF present IS DISTINCT FROM known THEN
    RAISE EXCEPTION 'the schema of the project has changed' USING ERRCODE = 'LG001';
  END IF;
END $$;
