-- Filters and searches take every blank for a space, a final sigma for a sigma, and a letter of several characters for the same
-- letter of one.
-- expand

-- What is stored by the former fold() is made again: the rows are changed twice, with the former function and with this one. An
-- update of an indexed column makes new entries in all indexes, and a lead that is taken out and comes back has its values in
-- indexes of fields anew. Nobody sees that, since all is one transaction; versions and times stay.
DO $do$
DECLARE
  home text := (SELECT n.nspname FROM pg_extension e JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'unaccent');
  differs text := $c$octet_length(%1$s) <> length(%1$s)
    AND (%1$s ~ '[\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000\u03A3\u03C2]' OR %1$s IS NOT NFC NORMALIZED)$c$;
  -- all texts of a lead
  texts text := (SELECT '(' || string_agg(format('coalesce(%I, '''')', attname), ' || ') || ' || custom::text)' FROM pg_attribute
    WHERE attrelid = 'store.lead'::regclass AND attnum > 0 AND NOT attisdropped AND atttypid = 'text'::regtype);
  of_lead text := format(differs, texts);
  of_row text := format(differs, 'cells::text');
  kept jsonb;
  k record;
BEGIN
  -- Citus takes a function into all shards only one after another; nothing else reads it.
  SET LOCAL citus.multi_shard_modify_mode = 'sequential';
  EXECUTE $q$SELECT jsonb_agg(jsonb_build_object('project', u.project_id, 'dataset', u.dataset_id, 'slot', u.slot,
      'former', u.value, 'text', r.cells ->> u.slot))
    FROM store.dataset_unique u
    JOIN store.dataset_row r ON r.project_id = u.project_id AND r.dataset_id = u.dataset_id AND r.id = u.row_id
    WHERE u.value = unique_value(r.cells ->> u.slot, true) AND $q$ || format(differs, '(r.cells ->> u.slot)') INTO kept;
  EXECUTE 'UPDATE store.lead SET deleted_at = ''infinity'' WHERE deleted_at IS NULL AND merged_into_id IS NULL AND ' || of_lead;
  EXECUTE $q$UPDATE store.lead SET merged_into_id = coalesce(merged_into_id, '') || U&'\0001' WHERE deleted_at IS DISTINCT FROM 'infinity' AND $q$ || of_lead;
  EXECUTE $q$UPDATE store.dataset_row SET link0 = coalesce(link0, '') || U&'\0001' WHERE $q$ || of_row;

  -- Latin letters need none of it: asking first makes the fold() of 200,000 names with accents 1.3 times as long, not 3 times.
  EXECUTE format($f$CREATE OR REPLACE FUNCTION leadgate.fold_accents(value text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE COST 10 AS $b$
    SELECT CASE WHEN value ~ '[^\u0001-\u009F\u00A1-\u02FF]'
      THEN pg_catalog.translate(pg_catalog.lower(%1$I.unaccent(%2$L::regdictionary, normalize(value, NFC))), %3$L, %4$L)
      ELSE pg_catalog.lower(%1$I.unaccent(%2$L::regdictionary, value)) END $b$ $f$,
    home, home || '.unaccent', U&'\03C2\00A0\1680\2000\2001\2002\2003\2004\2005\2006\2007\2008\2009\200A\202F\205F\3000', 'σ' || repeat(' ', 16));

  UPDATE store.lead SET merged_into_id = nullif(left(merged_into_id, -1), ''), name = name WHERE merged_into_id LIKE U&'%\0001';
  UPDATE store.lead SET deleted_at = NULL, name = name WHERE deleted_at = 'infinity';
  UPDATE store.dataset_row SET link0 = nullif(left(link0, -1), ''), cells = cells WHERE link0 LIKE U&'%\0001';
  -- Of two values that have become the same, the later row keeps its former one: both rows stay.
  FOR k IN SELECT * FROM jsonb_to_recordset(kept) AS each (project text, dataset text, slot text, former bytea, "text" text) LOOP
    UPDATE store.dataset_unique SET value = unique_value(k."text", true)
    WHERE project_id = k.project AND dataset_id = k.dataset AND slot = k.slot AND dataset_unique.value = k.former
      AND NOT EXISTS (SELECT FROM store.dataset_unique o WHERE o.project_id = k.project AND o.dataset_id = k.dataset
        AND o.slot = k.slot AND o.value = unique_value(k."text", true));
  END LOOP;
END $do$;
