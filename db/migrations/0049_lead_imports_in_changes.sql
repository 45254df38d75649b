-- What an undo of an import of leads needs is kept by its change, too: import_change moves there. Later imports need no items,
-- since their events have the values.

-- Imports that can still be undone, or whose undo kept leads that can still be listed.
CREATE TEMP TABLE moved ON COMMIT DROP AS
  SELECT i.project_id, i.id AS import_id, coalesce(i.finished_at, i.started_at, i.created_at) AS at, i.state,
    i.actor, i.created, i.updated, i.undo, i.undo IS NOT NULL OR i.state IN ('undoing', 'undone') AS begun,
    ordered_id('chg', coalesce(i.started_at, i.created_at), 0) AS change_id,
    ordered_id('chg', greatest(coalesce(i.finished_at, i.started_at, i.created_at), coalesce(i.started_at, i.created_at)), 1) AS undo_id
  FROM store.import i
  WHERE i.dataset_id IS NULL AND (i.expires_at IS NULL OR i.expires_at > leadgate.moment())
    AND i.state IN ('running', 'done', 'failed', 'cancelled', 'undoing', 'undone') AND i.created + i.updated > 0;

INSERT INTO store.change (project_id, id, kind, surface, actor, person_id, about, counts, undone_by, created_at)
  SELECT project_id, change_id, 'import',
    CASE actor ->> 'type' WHEN 'key' THEN 'api' WHEN 'token' THEN 'mcp' WHEN 'person' THEN 'panel' ELSE 'cli' END, actor,
    CASE actor ->> 'type' WHEN 'person' THEN actor ->> 'id'
      WHEN 'token' THEN (SELECT a.person_id FROM store."authorization" a
        WHERE a.project_id = moved.project_id AND a.id = moved.actor ->> 'id') END,
    jsonb_build_object('import_id', import_id),
    jsonb_strip_nulls(jsonb_build_object('leads_created', nullif(created, 0), 'leads_updated', nullif(updated, 0))),
    CASE WHEN begun THEN undo_id END, at
  FROM moved;

-- Only the audit log knows who undid them.
INSERT INTO store.change (project_id, id, kind, surface, actor, about, counts, undoes, created_at)
  SELECT project_id, undo_id, 'undo', 'service', '{"type": "cli", "id": null, "label": "Leadgate"}',
    jsonb_build_object('import_id', import_id),
    jsonb_strip_nulls(jsonb_build_object('leads_deleted', nullif((undo -> 'deleted')::bigint, 0),
      'leads_updated', nullif((undo -> 'restored')::bigint, 0), 'kept', nullif((undo -> 'left')::bigint, 0))),
    change_id, at
  FROM moved WHERE begun;

-- Leads that the import changed and that no undo has reached.
INSERT INTO store.change_item (project_id, change_id, id, kind, record_id, before, after, version, at, tx)
  SELECT m.project_id, m.change_id, ordered_id('evt', m.at, row_number() OVER (PARTITION BY m.import_id ORDER BY c.lead_id)),
    'lead', c.lead_id, c.before, c.after, NULL, m.at, '0'
  FROM moved m JOIN store.import_change c ON c.project_id = m.project_id AND c.import_id = m.import_id
  JOIN store.lead l ON l.project_id = m.project_id AND l.id = c.lead_id
  WHERE m.state <> 'undone' AND NOT c.undone AND c.kept IS NULL AND l.import_id IS DISTINCT FROM m.import_id;

-- Leads that it created, which are untouched as long as they have this version.
INSERT INTO store.change_item (project_id, change_id, id, kind, record_id, before, after, version, at, tx)
  SELECT m.project_id, m.change_id,
    ordered_id('evt', m.at, 1000000 + row_number() OVER (PARTITION BY m.import_id ORDER BY l.id)),
    'lead', l.id, NULL, '{}', coalesce(nullif(c.version, 0), 1), m.at, '0'
  FROM moved m JOIN store.lead l ON l.project_id = m.project_id AND l.import_id = m.import_id AND l.deleted_at IS NULL
  LEFT JOIN store.import_change c ON c.project_id = m.project_id AND c.import_id = m.import_id AND c.lead_id = l.id
  WHERE m.state <> 'undone' AND c.kept IS NULL;

INSERT INTO store.change_item (project_id, change_id, id, kind, record_id, after, at, tx)
  SELECT m.project_id, m.undo_id, ordered_id('evt', m.at, row_number() OVER (PARTITION BY m.import_id ORDER BY c.lead_id)),
    'kept', c.lead_id, jsonb_build_object('kind', 'lead', 'put_back', '[]'::jsonb,
      'kept', CASE WHEN c.kept -> 'fields' = '[]' THEN jsonb_build_array(jsonb_build_object('field', NULL, 'reason', reason,
          'by', NULL, 'change_id', NULL, 'at', NULL))
        ELSE (SELECT jsonb_agg(jsonb_build_object('field', field, 'reason', reason, 'by', NULL, 'change_id', NULL, 'at', NULL))
          FROM jsonb_array_elements_text(c.kept -> 'fields') AS field) END), m.at, '0'
  FROM moved m JOIN (
    SELECT *, CASE kept ->> 'reason' WHEN 'changed' THEN 'changed_since' ELSE kept ->> 'reason' END AS reason
    FROM store.import_change) AS c
    ON c.project_id = m.project_id AND c.import_id = m.import_id AND c.kept IS NOT NULL
  WHERE m.begun;

UPDATE store.change c SET bytes = (SELECT coalesce(sum(coalesce(octet_length(before::text), 0)
    + coalesce(octet_length(after::text), 0)), 0) FROM store.change_item i WHERE i.project_id = c.project_id AND i.change_id = c.id)
  FROM moved m WHERE c.project_id = m.project_id AND c.id IN (m.change_id, m.undo_id);

UPDATE store.import i SET change_id = m.change_id, undo_change_id = CASE WHEN m.begun THEN m.undo_id END
  FROM moved m WHERE i.project_id = m.project_id AND i.id = m.import_id;

-- Merges that can still be undone become changes, too.
INSERT INTO store.change (project_id, id, kind, surface, actor, person_id, lead_id, about, counts, created_at)
  SELECT project_id, ordered_id('chg', created_at, 2), 'lead.merge',
    CASE actor ->> 'type' WHEN 'key' THEN 'api' WHEN 'token' THEN 'mcp' WHEN 'person' THEN 'panel' ELSE 'service' END, actor,
    CASE actor ->> 'type' WHEN 'person' THEN actor ->> 'id' END, winner_id, jsonb_build_object('merge_id', id),
    '{"leads_merged": 1}', created_at
  FROM store.merge WHERE undone_at IS NULL AND created_at > leadgate.moment() - interval '30 days';
UPDATE store.merge m SET change_id = c.id FROM store.change c
  WHERE c.project_id = m.project_id AND c.kind = 'lead.merge' AND c.about ->> 'merge_id' = m.id;

DROP VIEW leadgate.import_change;
DROP TABLE store.import_change;
DROP FUNCTION ordered_id, eight_characters;
