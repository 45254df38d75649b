-- The feed tells changes of untracked fields and withdrawn events from items of changes, which are kept for some time only.

-- The last place of a project's feed from which something was removed. Who stopped reading before it may have missed it.
CREATE TABLE store.feed_gap (
  project_id text COLLATE "C" PRIMARY KEY REFERENCES store.project ON DELETE CASCADE,
  tx xid8 NOT NULL,
  id text COLLATE "C" NOT NULL
);
SELECT wall('feed_gap');
