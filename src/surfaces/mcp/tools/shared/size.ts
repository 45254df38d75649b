/**
 * Maximum size of one answer, in bytes of JSON: clients truncate larger ones, or fill the model's context.
 */
export const ANSWER_BYTES = 60_000;

/** Maximum size of one record in a list, so that every page makes progress. */
export const RECORD_BYTES = 20_000;

const TEXT_LENGTH = 2_000;

type Fields = Record<string, unknown>;

/** Returns the size of a value as JSON, in bytes. */
export const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? "");

/**
 * Returns a record within `most` bytes: long strings are cut, then the largest members left out. `omitted`
 * names those left out, `cut` says whether anything is missing.
 */
export function fitRecord(record: Fields, most: number): { record: Fields; cut: boolean; omitted: string[] } {
  if (bytesOf(record) <= most) return { record, cut: false, omitted: [] };
  const kept = shortened(record) as Fields;
  const omitted: string[] = [];
  const bySize = Object.keys(kept).sort((a, b) => bytesOf(kept[b]) - bytesOf(kept[a]));
  for (const key of bySize) {
    if (bytesOf(kept) <= most) break;
    if (key === "id" || key === "_id") continue;
    delete kept[key];
    omitted.push(key);
  }
  return { record: kept, cut: true, omitted };
}

/** Returns the first records that fit together. */
export function fitList<T>(records: readonly T[], most: number): T[] {
  let used = 0;
  const after = records.findIndex((record) => {
    used += bytesOf(record) + 1;
    return used > most;
  });
  return after < 0 ? [...records] : records.slice(0, after);
}

function shortened(value: unknown): unknown {
  if (typeof value === "string")
    return value.length > TEXT_LENGTH ? `${value.slice(0, TEXT_LENGTH)}…` : value;
  if (Array.isArray(value)) return value.map(shortened);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, shortened(member)]));
}
