import { Refusal } from "../../core/refusal.ts";
import type { FeedPosition } from "../live/feed-position.ts";
import { type CursorBinding, readCursor, writeCursor } from "../operation/cursor.ts";
import type { Service } from "../operation/service/service.ts";

/** The position of a reader in the order of transactions: the event that was read last, and the epoch. */
export interface FeedMark extends FeedPosition {
  epoch: string;
  /** While a reader that began at the beginning is on its way: the end of the feed when it began. */
  from?: string | undefined;
}

const bindingOf = (projectId: string, types: readonly string[] | undefined): CursorBinding => [
  projectId,
  "timeline.feed",
  types ?? null,
];

/** Returns the cursor of the feed, or of a stream, that continues after a position. */
export const writeFeedCursor = (
  service: Service,
  projectId: string,
  types: readonly string[] | undefined,
  { epoch, tx, id, from }: FeedMark,
): string =>
  writeCursor(service, bindingOf(projectId, types), {
    ...{ epoch, tx, id },
    ...(from === undefined ? {} : { from }),
  } satisfies FeedMark);

/** Returns the position of a cursor; refuses (400) one of another project or of other types. */
export const readFeedCursor = (
  service: Service,
  projectId: string,
  types: readonly string[] | undefined,
  cursor: string,
): FeedMark => readCursor<FeedMark>(service, bindingOf(projectId, types), cursor);

/** The refusal for a cursor before a place from which the feed has lost what is kept for some time only. */
export const expiredCursor = (): Refusal =>
  new Refusal(
    "gone",
    "cursor_expired",
    "This cursor is older than the changes that the project keeps, so some are missing behind it. Read all leads again with POST /api/v1/sync, then continue with its cursor.",
    {
      faults: [
        { path: "$.cursor", code: "cursor_expired", message: "is older than the changes that are kept" },
      ],
    },
  );

/** The refusal for a cursor from before a backup was restored. */
export const formerEpoch = (): Refusal =>
  new Refusal(
    "malformed",
    "cursor_of_former_epoch",
    "A backup was restored after this cursor was issued, so events may be missing or repeated. Start without a cursor.",
    {
      faults: [
        { path: "$.cursor", code: "cursor_of_former_epoch", message: "is older than the restored backup" },
      ],
    },
  );
