/** A place in the order of transactions of a feed; `tx` is a decimal number. */
export interface FeedPosition {
  tx: string;
  id: string;
}

/** An id that sorts after every id: a position with it stands behind all events of its transaction. */
export const LAST_ID = "~";

/** Whether a position is behind another one. */
export function isAfter(one: FeedPosition, other: FeedPosition): boolean {
  if (one.tx === other.tx) return one.id > other.id;
  if (one.tx.length !== other.tx.length) return one.tx.length > other.tx.length;
  return one.tx > other.tx;
}
