-- Leads are found by their phone numbers however these are written, and numbers that 00 begins are read again.

-- Writers wait from here on: a writer that already waited for the index could deadlock with it.
LOCK TABLE store.lead IN SHARE ROW EXCLUSIVE MODE;
SET LOCAL maintenance_work_mem = '256MB';

-- The digits of a lead's phone numbers, each after a blank and without zeros before it.
CREATE FUNCTION phone_digits(phone text, phone_e164 text, phones text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(regexp_replace(
  E'\n' || coalesce(phone_e164, '') || E'\n' || coalesce(phone, '') || E'\n' || coalesce(array_to_string(phones, E'\n'), ''),
  '[^\d\n]+', '', 'g'), '\n0*', ' ', 'g');

-- Leads whose numbers former versions may have read differently: those that 00 begins, and Mexican mobile numbers with
-- the 1 that they had until 2019. The service reads these again after the migration (src/domain/upkeep/reread-phones.ts).
CREATE TABLE phone_to_read (
  project_id text COLLATE "C" NOT NULL,
  lead_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (project_id, lead_id),
  FOREIGN KEY (project_id, lead_id) REFERENCES store.lead (project_id, id) ON DELETE CASCADE
);
INSERT INTO phone_to_read (project_id, lead_id)
SELECT l.project_id, l.id FROM store.lead l JOIN store.project p ON p.project_id = l.project_id
WHERE l.phone ~ '^[^0-9+]*[0\uff10\u0660\u06f0]{2}'
  OR regexp_replace(l.phone, '\D', '', 'g') ~ CASE WHEN p.default_country = 'MX' THEN '1\d{10}' ELSE '521\d{10}' END;

-- parts of phone numbers, for the search
CREATE INDEX lead_phone_digits ON store.lead USING gin (project_id, phone_digits(phone, phone_e164, phones) gin_trgm_ops)
  WHERE phone IS NOT NULL OR phones <> '{}';
