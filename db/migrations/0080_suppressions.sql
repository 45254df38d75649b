-- Who must not be contacted again stays known when the lead is gone: as keyed hashes of e-mails and phones.
-- expand

ALTER TABLE store.project
  -- the project's own key, sealed with the secret key of the service; null until its first use
  ADD suppression_key text COLLATE "C",
  -- false until the leads that opted out under a former release are known
  ADD suppressions_complete boolean NOT NULL DEFAULT false;
ALTER TABLE store.project ALTER suppressions_complete SET DEFAULT true;

CREATE TABLE store.suppression (
  project_id text COLLATE "C" NOT NULL REFERENCES store.project ON DELETE CASCADE,
  -- HMAC-SHA-256 of an e-mail address in lower case or a phone number in E.164, 128 bits of it, base64url
  hash text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, hash)
);

SELECT wall('project'), wall('suppression');
