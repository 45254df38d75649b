-- Hits of limits that hold exactly in any hour or day, such as invitations and security mails: a row per hit and bucket.
-- The table is logged, so neither a restart nor a crash resets a limit.
CREATE TABLE recent_hit (
  -- what is counted, and for whom; e-mail addresses only as a MAC
  bucket text COLLATE "C" NOT NULL,
  at timestamptz NOT NULL
);
-- the newest hits of a bucket
CREATE INDEX recent_hit_of ON recent_hit (bucket, at);
-- what the sweep deletes
CREATE INDEX recent_hit_age ON recent_hit (at);
