import { existsSync, readFileSync } from "node:fs";
import type { Browser } from "../../../test/browser.ts";
import { deciding, takeAllBack } from "../../../test/clients/support/person.ts";

/** An authorization page that a host opened. */
export interface Opened {
  url: URL;
  /** Where the person was sent back to, or why not. */
  back: string;
}

/** A signed-in person who decides on each authorization page that a host opens, as soon as it is opened. */
export interface Person extends AsyncDisposable {
  opened: Opened[];
  /** The scopes that the person ticks. */
  grants: readonly string[];
  /** Revokes everything on the page of connected apps. */
  revokes(): Promise<void>;
}

/** Starts a person who watches `file`, into which the stand-in for a browser writes each URL as a line. */
export function person(browser: Browser, authUrl: string, file: string): Person {
  const opened: Opened[] = [];
  const self = { opened, grants: [] as readonly string[], revokes: () => takeAllBack(browser) };
  const seen = new Set<string>();
  let isGone = false;
  const watched = (async () => {
    while (!isGone) {
      for (const url of urlsIn(file)) {
        if (seen.has(url) || !isAuthorization(url, authUrl)) continue;
        seen.add(url);
        const address = new URL(url);
        opened.push({ url: address, back: await sentBack(browser, address, self.grants) });
      }
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return Object.assign(self, {
    async [Symbol.asyncDispose]() {
      isGone = true;
      await watched;
    },
  });
}

const urlsIn = (file: string): string[] =>
  existsSync(file) ? (readFileSync(file, "utf8").match(/https?:\/\/\S+/g) ?? []) : [];

const isAuthorization = (url: string, authUrl: string): boolean =>
  url.startsWith(authUrl) && (URL.parse(url)?.searchParams.has("redirect_uri") ?? false);

/** Decides, and follows the redirect to the host's listener. */
async function sentBack(browser: Browser, address: URL, grants: readonly string[]): Promise<string> {
  try {
    const back = await deciding(browser, "approve", grants)(address);
    const answer = await fetch(back, { redirect: "follow" });
    return `${back.origin}${back.pathname} ${answer.status}`;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
