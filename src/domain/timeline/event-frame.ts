import type { FeedMark } from "./feed-cursor.ts";

/** How long a client waits before it connects again, in milliseconds. */
const RETRY_MS = 2_000;

/** What a stream starts with; clients take the connection for open once it arrives. */
export const OPENING = `retry: ${RETRY_MS}\n: open\n\n`;

/** An event of the feed (WHATWG HTML 9.2); `json` is one line. */
export const eventFrame = (cursor: string, json: string): string =>
  `id: ${cursor}\nevent: change\ndata: ${json}\n\n`;

/** A sign of life; its id moves the client's cursor on, although nothing happened. */
export const heartbeat = (cursor: string | undefined): string =>
  `: heartbeat\n${cursor === undefined ? "" : `id: ${cursor}\n`}\n`;

/** Who has which leads open, for people: all of them each time. It has no id, as it is not part of the feed. */
export const viewersFrame = (viewers: string): string => `event: presence\ndata: ${viewers}\n\n`;

/** Why a stream ended, so that its client knows whether to connect again. */
export const endFrame = (code: string, message: string): string =>
  `event: end\ndata: ${JSON.stringify({ code, message })}\n\n`;

/** The last thing on a stream whose process stops: its client connects again, to another one. */
export const GOODBYE = ": the service is restarting\n\n";

/** Returns the events of a page with their positions; see FeedSelection.lines. */
export function eventsOfLines(lines: string | null, epoch: string): { mark: FeedMark; json: string }[] {
  if (lines === null) return [];
  return lines.split("\n").map((line) => {
    const first = line.indexOf(" ");
    const second = line.indexOf(" ", first + 1);
    const mark = { epoch, tx: line.slice(0, first), id: line.slice(first + 1, second) };
    return { mark, json: line.slice(second + 1) };
  });
}
