/** A position in a feed: `tx` is a decimal number, and `id` the place of an event in it, which is its id or that of a late one (placeSql). */
export interface FeedPosition {
  tx: string;
  id: string;
}

/** An id that sorts after every place: a position with it stands behind all events of its transaction. */
export const LAST_ID = "~";

/** Whether a position is behind another one. */
export function isAfter(one: FeedPosition, other: FeedPosition): boolean {
  if (one.tx === other.tx) return one.id > other.id;
  if (one.tx.length !== other.tx.length) return one.tx.length > other.tx.length;
  return one.tx > other.tx;
}
