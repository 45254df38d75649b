-- Leads are found by their phone numbers however these are written, and numbers that 00 began are the right country's.

-- The digits of a lead's phone numbers, each after a blank and without zeros before it.
CREATE FUNCTION phone_digits(phone text, phone_e164 text, phones text[]) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(regexp_replace(
  E'\n' || coalesce(phone_e164, '') || E'\n' || coalesce(phone, '') || E'\n' || coalesce(array_to_string(phones, E'\n'), ''),
  '[^\d\n]+', '', 'g'), '\n0*', ' ', 'g');

-- Brazilian numbers that were read as American or not at all, because 0055 can also begin a call through a carrier, and
-- Mexican mobile numbers with the 1 that they had until 2019, which identified no lead.
UPDATE store.lead SET phone_e164 = '+' || right(regexp_replace(phone, '\D', '', 'g'), -2)
WHERE phone LIKE '%0%0%5%5%' AND regexp_replace(phone, '\D', '', 'g') ~ '^0055\d{10,11}$'
  AND (phone_e164 IS NULL OR phone_e164 = '+' || right(regexp_replace(phone, '\D', '', 'g'), -4));
UPDATE store.lead SET phone_e164 = '+52' || right(regexp_replace(phone, '\D', '', 'g'), 10)
WHERE phone LIKE '%+%52%1%' AND phone_e164 IS NULL AND regexp_replace(phone, '\D', '', 'g') ~ '^521\d{10}$';

-- parts of phone numbers, for the search
CREATE INDEX lead_phone_digits ON store.lead USING gin (project_id, phone_digits(phone, phone_e164, phones) gin_trgm_ops)
  WHERE phone IS NOT NULL OR phones <> '{}';
