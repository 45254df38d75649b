-- What an undo of an import into a dataset needs is kept by its change: import_row moves there.

ALTER TABLE store.import
  -- the change that undoes it
  ADD undo_change_id text COLLATE "C",
  -- how far that came: the lead behind which, or the item of a row before which it continues, '' at the end
  ADD undo_at text COLLATE "C";

-- what an undo kept, by record
CREATE INDEX change_item_kept ON store.change_item (project_id, change_id, record_id) WHERE kind = 'kept';

-- Eight characters for 40 bits of an id.
CREATE FUNCTION eight_characters(bits bigint) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN substr('0123456789abcdefghjkmnpqrstvwxyz', (bits >> 35 & 31)::integer + 1, 1) || substr('0123456789abcdefghjkmnpqrstvwxyz', (bits >> 30 & 31)::integer + 1, 1)
  || substr('0123456789abcdefghjkmnpqrstvwxyz', (bits >> 25 & 31)::integer + 1, 1) || substr('0123456789abcdefghjkmnpqrstvwxyz', (bits >> 20 & 31)::integer + 1, 1)
  || substr('0123456789abcdefghjkmnpqrstvwxyz', (bits >> 15 & 31)::integer + 1, 1) || substr('0123456789abcdefghjkmnpqrstvwxyz', (bits >> 10 & 31)::integer + 1, 1)
  || substr('0123456789abcdefghjkmnpqrstvwxyz', (bits >> 5 & 31)::integer + 1, 1) || substr('0123456789abcdefghjkmnpqrstvwxyz', (bits & 31)::integer + 1, 1);

-- The nth id from a time on, in the form of src/core/id.ts: 48 bits of milliseconds, the version, a counter of twelve
-- bits that overflows into the next millisecond, the variant and random bits.
CREATE FUNCTION ordered_id(prefix text, at timestamptz, n bigint) RETURNS text LANGUAGE sql VOLATILE
RETURN (SELECT prefix || '_' || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 45 & 31)::integer + 1, 1)
    || substr('0123456789abcdefghjkmnpqrstvwxyz', (ms >> 40 & 31)::integer + 1, 1) || eight_characters(ms & ((1::bigint << 40) - 1))
    || eight_characters((7::bigint << 36) | ((n & 4095) << 24) | (2::bigint << 22) | floor(random() * (1 << 22))::bigint)
    || eight_characters(floor(random() * (1::bigint << 40))::bigint)
  FROM (SELECT floor(extract(epoch FROM at) * 1000)::bigint + (n >> 12) AS ms) AS moved);

-- Imports that can still be undone, or whose undo kept rows that can still be listed.
CREATE TEMP TABLE moved ON COMMIT DROP AS
  SELECT i.project_id, i.id AS import_id, coalesce(i.finished_at, i.started_at, i.created_at) AS at, i.state, i.dataset_id,
    i.actor, i.created, i.updated, i.undo, i.undo IS NOT NULL OR i.state IN ('undoing', 'undone') AS begun,
    ordered_id('chg', coalesce(i.started_at, i.created_at), 0) AS change_id,
    ordered_id('chg', greatest(coalesce(i.finished_at, i.started_at, i.created_at), coalesce(i.started_at, i.created_at)), 1) AS undo_id
  FROM store.import i
  WHERE i.dataset_id IS NOT NULL AND (i.expires_at IS NULL OR i.expires_at > leadgate.moment())
    AND EXISTS (SELECT FROM store.import_row r WHERE r.project_id = i.project_id AND r.import_id = i.id
      AND (r.kept IS NOT NULL OR NOT r.undone));

INSERT INTO store.change (project_id, id, kind, surface, actor, person_id, about, counts, undone_by, created_at)
  SELECT project_id, change_id, 'import',
    CASE actor ->> 'type' WHEN 'key' THEN 'api' WHEN 'token' THEN 'mcp' WHEN 'person' THEN 'panel' ELSE 'service' END, actor,
    CASE actor ->> 'type' WHEN 'person' THEN actor ->> 'id'
      WHEN 'token' THEN (SELECT a.person_id FROM store."authorization" a
        WHERE a.project_id = moved.project_id AND a.id = moved.actor ->> 'id') END,
    jsonb_build_object('import_id', import_id, 'dataset_id', dataset_id),
    jsonb_strip_nulls(jsonb_build_object('rows_created', nullif(created, 0), 'rows_updated', nullif(updated, 0))),
    CASE WHEN begun THEN undo_id END, at
  FROM moved;

-- Only the audit log knows who undid them.
INSERT INTO store.change (project_id, id, kind, surface, actor, about, counts, undoes, created_at)
  SELECT project_id, undo_id, 'undo', 'service', '{"type": "cli", "id": null, "label": "Leadgate"}',
    jsonb_build_object('import_id', import_id, 'dataset_id', dataset_id),
    jsonb_strip_nulls(jsonb_build_object('rows_deleted', nullif((undo -> 'deleted')::bigint, 0),
      'rows_updated', nullif((undo -> 'restored')::bigint, 0), 'kept', nullif((undo -> 'left')::bigint, 0))),
    change_id, at
  FROM moved WHERE begun;

-- In the order of the file; a file without a row to undo any more keeps none.
INSERT INTO store.change_item (project_id, change_id, id, kind, record_id, dataset_id, before, after, version, at)
  SELECT m.project_id, m.change_id, ordered_id('evt', m.at, r.n), 'row', r.row_id, m.dataset_id, r.before, r.after, r.version, m.at
  FROM moved m JOIN LATERAL (
    SELECT *, row_number() OVER (ORDER BY number, row_id DESC) AS n FROM store.import_row
    WHERE project_id = m.project_id AND import_id = m.import_id AND NOT undone AND kept IS NULL) AS r ON true
  WHERE m.state <> 'undone';

INSERT INTO store.change_item (project_id, change_id, id, kind, record_id, dataset_id, after, at)
  SELECT m.project_id, m.undo_id, ordered_id('evt', m.at, r.n), 'kept', r.row_id, m.dataset_id,
    jsonb_build_object('kept', CASE WHEN r.kept -> 'fields' = '[]' THEN jsonb_build_array(jsonb_build_object(
        'slot', NULL, 'field', NULL, 'reason', reason))
      ELSE (SELECT jsonb_agg(jsonb_build_object('slot', coalesce((SELECT c ->> 'slot' FROM jsonb_array_elements(d.columns) AS c
          WHERE c ->> 'key' = field), field), 'field', field, 'reason', reason))
        FROM jsonb_array_elements_text(r.kept -> 'fields') AS field) END), m.at
  FROM moved m JOIN LATERAL (
    SELECT *, row_number() OVER (ORDER BY row_id) AS n,
      CASE kept ->> 'reason' WHEN 'changed' THEN 'changed_since' ELSE kept ->> 'reason' END AS reason
    FROM store.import_row WHERE project_id = m.project_id AND import_id = m.import_id AND kept IS NOT NULL) AS r ON true
  LEFT JOIN store.dataset d ON d.project_id = m.project_id AND d.id = m.dataset_id
  WHERE m.begun;

UPDATE store.change c SET bytes = (SELECT coalesce(sum(coalesce(octet_length(before::text), 0)
    + coalesce(octet_length(after::text), 0)), 0) FROM store.change_item i WHERE i.project_id = c.project_id AND i.change_id = c.id)
  FROM moved m WHERE c.project_id = m.project_id AND c.id IN (m.change_id, m.undo_id);

UPDATE store.import i SET change_id = m.change_id, undo_change_id = CASE WHEN m.begun THEN m.undo_id END
  FROM moved m WHERE i.project_id = m.project_id AND i.id = m.import_id;

DROP VIEW leadgate.import_row;
DROP TABLE store.import_row;
SELECT wall('import');
