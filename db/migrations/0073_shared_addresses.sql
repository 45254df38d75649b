-- Whether an update may give a lead an e-mail or a phone that another lead has: a project can refuse it.
-- expand

ALTER TABLE store.project ADD refuses_shared boolean NOT NULL DEFAULT false;
SELECT wall('project');

-- Each upsert looks for further e-mails and phones; entries that wait to be sorted into an index are read one by one.
ALTER INDEX store.lead_emails SET (fastupdate = off);
ALTER INDEX store.lead_phones SET (fastupdate = off);
