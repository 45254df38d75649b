import { Readable } from "node:stream";
import type { LeadsExport } from "../../contract/leads/query.ts";
import { isOngoing, type JobState } from "../../contract/lists/states.ts";
import { isId } from "../../core/id.ts";
import { notFound, Refusal } from "../../core/refusal.ts";
import type { ProjectDb } from "../../db/pool/database.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { ExportId } from "./get-export.ts";

/** A finished file as a stream, read at the speed of its consumer. */
export interface StoredFile {
  id: string;
  stream: Readable;
  format: NonNullable<LeadsExport["format"]>;
  bytes: number;
}

interface FileRow {
  state: JobState;
  format: NonNullable<LeadsExport["format"]>;
  bytes: number;
  pieces: number;
  over: boolean;
}

const FILE = `SELECT state, coalesce(input ->> 'format', 'csv') AS format, (result -> 'bytes')::bigint AS bytes,
  (result -> 'pieces')::integer AS pieces, coalesce(expires_at <= moment(), false) AS over
  FROM job WHERE project_id = $1 AND id = $2 AND kind = 'export'`;

const PIECE = "SELECT bytes FROM job_piece WHERE project_id = $1 AND job_id = $2 AND number = $3";

/** The file of an export: 409 until it is done, 410 after it expired. The door is checked for every piece. */
export const exportFile = memberOperation({
  name: "exports.file",
  needs: "leads:read",
  exports: true,
  input: ExportId,
  async run({ db, caller }, { id }): Promise<StoredFile> {
    if (!isId("exp", id)) return await refuse(db, notFound("export"));
    const [file] = await db.query<FileRow>(FILE, [caller.projectId, id], { prepare: true });
    if (file === undefined) throw notFound("export");
    const { state, over, format, bytes } = file;
    if (over) throw expired();
    if (isOngoing(state)) {
      throw new Refusal(
        "conflict",
        "not_done",
        "This export is not done yet. Check its state, and try again.",
      );
    }
    if (state !== "done")
      throw new Refusal("conflict", "no_file", `This export has no file because it is ${state}.`);
    return { id, format, bytes, stream: Readable.from(piecesOf(db, caller.projectId, id, file.pieces)) };
  },
});

const expired = (): Refusal =>
  new Refusal("gone", "expired", "This export's file has been deleted. Start a new export.");

async function* piecesOf(
  db: ProjectDb,
  projectId: string,
  id: string,
  pieces: number,
): AsyncGenerator<Buffer> {
  for (let number = 0; number < pieces; number += 1) {
    const [piece] = await db.query<{ bytes: Buffer }>(PIECE, [projectId, id, number], { prepare: true });
    if (piece === undefined) throw expired();
    yield piece.bytes;
  }
}
