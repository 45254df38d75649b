import { isOlder, RELEASE } from "./release.ts";

/** Which releases the applied migrations need, as rows with `needs`. */
export const NEEDS = "SELECT DISTINCT needs FROM leadgate.migration WHERE needs IS NOT NULL";

/** Returns why this release may not serve the database; undefined if it may. `rows` are those of NEEDS. */
export function refusalOf(rows: readonly { needs: string }[]): Error | undefined {
  const newer = rows.map(({ needs }) => needs).filter((needs) => isOlder(RELEASE, needs));
  const needed = newer.reduce<string | undefined>(
    (newest, needs) => (newest === undefined || isOlder(newest, needs) ? needs : newest),
    undefined,
  );
  if (needed === undefined) return undefined;
  return new Error(
    `The database was upgraded and needs Leadgate ${needed} or newer; this is ${RELEASE}. Use that release, or a newer one.`,
  );
}
