-- A passkey's challenge is no longer stored when it is asked for: a row is the mark of one that was used, until it would have expired.
COMMENT ON TABLE passkey_challenge IS 'Passkey challenges that were used, so that none is used twice';
COMMENT ON COLUMN passkey_challenge.person_id IS 'Unused; instances of earlier versions write it';
