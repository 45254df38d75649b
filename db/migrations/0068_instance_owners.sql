-- Owners of an instance see the state of its backups.
-- expand
ALTER TABLE person ADD owns_instance boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN person.owns_instance IS 'Whether the person sees the state of the whole instance, such as its backups';
UPDATE person SET owns_instance = true
WHERE id = (SELECT id FROM person WHERE verified_at IS NOT NULL ORDER BY created_at, id LIMIT 1);

-- What the instances that make regular backups report about them.
CREATE TABLE backup_report (
  host text NOT NULL,
  folder text NOT NULL,
  report jsonb NOT NULL,
  reported_at timestamptz NOT NULL DEFAULT moment(),
  PRIMARY KEY (host, folder)
);
COMMENT ON COLUMN backup_report.host IS 'The name of the machine or container';
