import type { Piece } from "../address/piece.ts";

export interface Sort<Field extends string = string> {
  field: Field;
  dir: "asc" | "desc";
  nulls?: "first" | "last";
}

/** The service's limit. */
const MOST = 3;

const read = (text: string): Sort[] =>
  text
    .split(",")
    .filter((each) => each !== "")
    .slice(0, MOST)
    .map((each) =>
      each.startsWith("-") ? { field: each.slice(1), dir: "desc" } : { field: each, dir: "asc" },
    );

/** The order in the URL: `-value,name`. Absent means the view's order, empty the service's default order. */
export const sortPiece: Piece<readonly Sort[] | undefined> = {
  read: (text) => (text === null ? undefined : read(text)),
  write: (sort) => sort?.map(({ field, dir }) => (dir === "desc" ? `-${field}` : field)).join(",") ?? null,
};

/** Returns the order after a click on a column: ascending, descending, unsorted; `more` keeps the other columns. */
export function nextSort(sort: readonly Sort[], field: string, more: boolean): readonly Sort[] {
  const present = sort.find((each) => each.field === field);
  const next: Sort[] =
    present === undefined ? [{ field, dir: "asc" }] : present.dir === "asc" ? [{ field, dir: "desc" }] : [];
  if (!more) return next;
  if (present === undefined) return [...sort, ...next].slice(-MOST);
  return sort.flatMap((each) => (each.field === field ? next : [each]));
}

/** Returns the reversed order. The id breaks ties, as in the service's own orders. */
export function reversed(sort: readonly Sort[]): Sort[] {
  const whole: readonly Sort[] = sort.length === 0 ? [{ field: "created_at", dir: "desc" }] : sort;
  const keys = whole.map(
    ({ field, dir, nulls = "last" }): Sort => ({
      field,
      dir: dir === "asc" ? "desc" : "asc",
      nulls: nulls === "last" ? "first" : "last",
    }),
  );
  return keys.length < MOST ? [...keys, { field: "id", dir: "desc" }] : keys;
}
