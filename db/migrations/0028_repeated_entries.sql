-- What happens again and again, such as replays of one dead token, is one entry of the audit log with a counter. Authorizations
-- remember from which addresses they were used, and codes what became of them.
ALTER TABLE audit
  ADD once text COLLATE "C",
  ADD repeated bigint NOT NULL DEFAULT 0,
  ADD repeated_at timestamptz,
  ADD repeated_from text;
CREATE UNIQUE INDEX audit_once ON audit (once) WHERE once IS NOT NULL;

-- Two arrays of the same length: the addresses, the last one new, and since when each is known. Authorizations from before
-- know none.
ALTER TABLE store."authorization"
  ADD origins text[] NOT NULL DEFAULT '{}',
  ADD origins_at timestamptz[] NOT NULL DEFAULT '{}';

-- NULL until the code is exchanged, and for codes that were exchanged before.
ALTER TABLE store.authorization_code ADD authorization_id text COLLATE "C";

SELECT wall('authorization'), wall('authorization_code');
