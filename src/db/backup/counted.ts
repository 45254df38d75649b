import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { readChecked, writeChecked } from "./files/checked-file.ts";
import type { CountedPoint } from "./table-figures.ts";
import { lsnOf } from "./wal/lsn.ts";

const PREFIX = "counted-";

const nameOf = (lsn: bigint): string => `${PREFIX}${lsn.toString(16).padStart(16, "0")}.json`;

/** The names of the counts in an archive, in the order of their positions. */
const countsIn = async (archive: string): Promise<string[]> =>
  (await readdir(archive).catch(() => [])).filter((name) => /^counted-[0-9a-f]{16}\.json$/.test(name)).sort();

/** Keeps a count of all tables in the archive that has its point; counts before `needed` are removed. */
export async function keepCount(archive: string, point: CountedPoint, needed: bigint): Promise<void> {
  await writeChecked(join(archive, nameOf(lsnOf(point.lsn))), point);
  for (const name of await countsIn(archive))
    if (name < nameOf(needed)) await rm(join(archive, name), { force: true });
}

/** The newest count in an archive at a position that is not behind `end`; undefined if there is none. Throws `Damaged`. */
export async function newestCount(archive: string, end: bigint): Promise<CountedPoint | undefined> {
  let newest: CountedPoint | undefined;
  for (const name of await countsIn(archive)) {
    const count = await readChecked<CountedPoint>(join(archive, name));
    if (name <= nameOf(end)) newest = count;
  }
  return newest;
}
