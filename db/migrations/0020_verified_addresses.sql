-- An account's e-mail address is verified once a mail to it was opened or the operator made the account; NULL until then.
-- Accounts from before count as verified.
ALTER TABLE person ADD verified_at timestamptz;
UPDATE person SET verified_at = created_at;
