import type { ProjectDb } from "../../../db/pool/database.ts";

const PIECE = 262_144;
/** How many bytes are read at once; more would delay other calls. */
const SLICE = 65_536;

const PUT = `INSERT INTO import_piece (project_id, import_id, number, bytes) VALUES ($1, $2, $3, $4)`;
const GET = `SELECT bytes FROM import_piece WHERE project_id = $1 AND import_id = $2 AND number = $3`;

/**
 * Passes bytes on and stores them in pieces of 256 KB; one piece is being stored while the next is read. Each piece
 * passes the door again.
 */
export async function* keepingPieces(
  db: ProjectDb,
  [projectId, id]: readonly [projectId: string, id: string],
  bytes: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  let waiting: Buffer[] = [];
  let [size, number] = [0, 0];
  let stored: Promise<unknown> = Promise.resolve();
  const put = async () => {
    const piece = [projectId, id, number, Buffer.concat(waiting)];
    [waiting, size, number] = [[], 0, number + 1];
    await stored;
    stored = db.query(PUT, piece, { prepare: true });
    // The failure is thrown where it is awaited; until then it must not count as unhandled.
    stored.catch(() => undefined);
  };
  for await (const chunk of bytes) {
    waiting.push(chunk);
    size += chunk.length;
    if (size >= PIECE) await put();
    yield chunk;
  }
  if (size > 0 || number === 0) await put();
  await stored;
}

/** Yields the bytes of a stored file in slices, and fetches the next piece while the current one is read. */
export async function* storedPieces(db: ProjectDb, projectId: string, id: string): AsyncGenerator<Buffer> {
  const get = async (number: number) => {
    const [piece] = await db.query<{ bytes: Buffer }>(GET, [projectId, id, number], { prepare: true });
    return piece?.bytes;
  };
  let number = 0;
  let next = get(0);
  for (let bytes = await next; bytes !== undefined; bytes = await next) {
    number += 1;
    next = get(number);
    next.catch(() => undefined);
    for (let at = 0; at < bytes.length; at += SLICE) yield bytes.subarray(at, at + SLICE);
  }
}
