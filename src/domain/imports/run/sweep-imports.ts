import { serviceDoor } from "../../../db/pool/project-door.ts";
import { holdJob } from "../../jobs/hold-job.ts";
import type { Service } from "../../operation/service/service.ts";
import { everyProject } from "../../tenancy/every-project.ts";
import { endDeadUploads } from "../file/upload-life.ts";
import { importName } from "./import-report.ts";

const ORPHANS = "SELECT id FROM import WHERE project_id = $1 AND state = 'running' AND job_id IS NULL";

const CUT_OFF = `UPDATE import SET state = 'failed', finished_at = moment(),
    error = '{"code": "cut_off", "message": "The process that imported it ended. What it counted is stored; import it again."}'
  WHERE project_id = $1 AND id = $2 AND state = 'running' AND job_id IS NULL`;

const OVER = ["import_piece", "import_failure"].map(
  (table) => `DELETE FROM ${table} USING import WHERE ${table}.project_id = $1 AND import.project_id = $1
    AND import.id = ${table}.import_id AND import.expires_at <= moment()`,
);

/** What an undo of rows would need, unless one has begun; a change without its items is not undone. */
const ITEMS = `WITH over AS MATERIALIZED (
    SELECT c.id FROM import i JOIN change c ON c.project_id = $1 AND c.id = i.change_id AND c.items_gone_at IS NULL
    WHERE i.project_id = $1 AND i.expires_at <= moment() AND i.dataset_id IS NOT NULL AND NOT (i.state = 'undoing' AND EXISTS (
      SELECT FROM job j WHERE j.project_id = $1 AND j.id = i.job_id AND j.state IN ('waiting', 'running')))
  ), emptied AS (
    DELETE FROM change_item USING over WHERE change_item.project_id = $1 AND change_id = over.id
  ) UPDATE change SET items_gone_at = moment(), bytes = 0 FROM over WHERE change.project_id = $1 AND change.id = over.id`;

/** Samples are cells of the file, and questions quote some, so they are kept no longer. */
const SAMPLES = `UPDATE import SET columns = (
    SELECT jsonb_agg(profile || '{"samples": [], "values": null}' ORDER BY place)
    FROM jsonb_array_elements(columns) WITH ORDINALITY AS each (profile, place)), questions = '[]', asked = '[]', facts = NULL
  WHERE project_id = $1 AND expires_at <= moment() AND jsonb_typeof(columns) = 'array'
    AND EXISTS (SELECT FROM jsonb_array_elements(columns) AS each (profile) WHERE profile -> 'samples' <> '[]')`;

/** Fails the command line's imports whose process is gone, because nobody holds their names. */
export async function endCutOff(service: Pick<Service, "db">, projectId: string): Promise<void> {
  const db = service.db.behind(serviceDoor(projectId));
  for (const { id } of await db.query<{ id: string }>(ORPHANS, [projectId])) {
    await holdJob(service as Service, importName(projectId, id), async () => {
      await db.query(CUT_OFF, [projectId, id]);
    });
  }
}

/** Fails interrupted imports and deletes data that imports keep for thirty days; the import records stay. */
export async function sweepImports(service: Service): Promise<void> {
  for await (const projectId of everyProject(service.db)) {
    await endCutOff(service, projectId);
    const db = service.db.behind(serviceDoor(projectId));
    await endDeadUploads(db, projectId);
    for (const statement of [...OVER, ITEMS, SAMPLES]) await db.query(statement, [projectId]);
  }
}
