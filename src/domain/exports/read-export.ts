import { Type } from "typebox";
import { isId } from "../../core/id.ts";
import { notFound } from "../../core/refusal.ts";
import { memberOperation, refuse } from "../operation/operation.ts";
import { exportRecords } from "./export-record.ts";

/** An export with a part of its file. */
export interface ExportPart {
  /** The export as JSON text. */
  json: string;
  /** The part as text, cut at a line end if there is one; null if there is no file or it has expired. */
  text: string | null;
  /** The offset of the next part, in bytes; null at the end of the file. */
  next: number | null;
}

interface Row {
  json: string;
  /** Null if there is no file to read. */
  bytes: number | null;
  part: Buffer | null;
}

/** length() of a stored piece reads only its header, so that a later part costs no more than the first. */
const PART = `SELECT shown.json, CASE WHEN file.kept THEN file.bytes END AS bytes,
    CASE WHEN file.kept THEN (
      SELECT string_agg(substr(p.bytes, greatest($3::bigint - p.start, 0)::integer + 1, $4::integer), ''::bytea ORDER BY p.number)
      FROM (SELECT number, bytes, (sum(length(bytes)) OVER (ORDER BY number) - length(bytes))::bigint AS start
        FROM job_piece WHERE project_id = $1 AND job_id = $2) AS p
      WHERE p.start + length(p.bytes) > $3::bigint AND p.start < $3::bigint + $4::integer) END AS part
  FROM (${exportRecords("SELECT * FROM job WHERE project_id = $1 AND id = $2 AND kind = 'export'")}) AS shown
  CROSS JOIN LATERAL (SELECT state = 'done' AND coalesce(expires_at > moment(), true) AS kept,
      (result -> 'bytes')::bigint AS bytes
    FROM job WHERE project_id = $1 AND id = $2) AS file`;

/** An export and up to `most` bytes of its file from `offset` on. */
export const readExport = memberOperation({
  name: "exports.read",
  needs: "leads:read",
  exports: true,
  input: Type.Object(
    {
      id: Type.String(),
      offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
      most: Type.Integer({ minimum: 100, maximum: 1_000_000 }),
    },
    { additionalProperties: false },
  ),
  async run({ db, caller }, { id, offset, most }): Promise<ExportPart> {
    if (!isId("exp", id)) return await refuse(db, notFound("export"));
    const values = [caller.projectId, id, offset, most];
    const [row] = await db.query<Row>(PART, values, { prepare: true });
    if (row === undefined) throw notFound("export");
    const { json, bytes, part } = row;
    if (bytes === null) return { json, text: null, next: null };
    const whole = wholeLines((part ?? Buffer.alloc(0)).subarray(0, most), offset, bytes);
    const end = offset + whole.length;
    return { json, text: whole.toString("utf8"), next: end < bytes && whole.length > 0 ? end : null };
  },
});

/**
 * Cuts after the last line break, otherwise after the last complete character (RFC 3629 3), unless the file ends
 * here.
 */
function wholeLines(part: Buffer, offset: number, bytes: number): Buffer {
  if (offset + part.length >= bytes) return part;
  const line = part.lastIndexOf(10);
  if (line >= 0) return part.subarray(0, line + 1);
  let end = part.length - 1;
  // the last character may be cut: leave it to the next part
  while (end > 0 && ((part[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end > 0 ? part.subarray(0, end) : part;
}
