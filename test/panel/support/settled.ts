import { setTimeout as sleep } from "node:timers/promises";
import type { Page, Request } from "playwright-core";

const STILL_MS = 500;

/**
 * Returns a function that waits until a page has asked for nothing for half a second. Like `networkidle`, but the stream
 * of events, which stays open, does not count.
 */
export function settledOf(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  let since = Date.now();
  page.on("request", (request) => {
    if (request.url().includes("/events/stream")) return;
    open.add(request);
    since = Date.now();
  });
  const ended = (request: Request) => {
    if (open.delete(request)) since = Date.now();
  };
  page.on("requestfinished", ended);
  page.on("requestfailed", ended);
  return async () => {
    while (open.size > 0 || Date.now() - since < STILL_MS) await sleep(50);
  };
}
