import type { Page, Request } from "playwright-core";
import { freePort, type KeyActor, type WorldOptions } from "../../world.ts";
import { makeLead } from "./lead-seed.ts";
import { type PanelWorld, panelWorld } from "./panel.ts";

/** Two signed-in people, Ana and the owner, each in a browser of their own, and a key that writes leads. */
export interface TwoPeople extends PanelWorld {
  ana: PanelWorld["person"];
  maker: KeyActor;
}

export async function twoPeople(options: WorldOptions = {}): Promise<TwoPeople> {
  const the = await panelWorld(options);
  const ana = await the.newPerson("Ana");
  await the.join(ana, the.project.id, "editor");
  const maker = await the.key(["leads:read", "leads:write"]);
  return { ...the, ana, maker };
}

/** A host that browsers do not trust without TLS, as they trust localhost, though it is the same machine on Linux. */
export const untrusted = async (): Promise<WorldOptions> => ({
  env: { AUTH_URL: `http://0.0.0.0:${await freePort()}` },
});

/** Creates leads by these names; returns their ids. */
export async function named(key: KeyActor, names: readonly string[], more: object = {}): Promise<string[]> {
  const ids: string[] = [];
  for (const name of names) ids.push(await makeLead(key, { name, ...more }));
  return ids;
}

/** The requests of a page whose URL contains a text, from now on. */
export function requestsOf(page: Page, text: string): Request[] {
  const found: Request[] = [];
  page.on("request", (request) => {
    if (request.url().includes(text)) found.push(request);
  });
  return found;
}

/** Waits until a page follows the project: it has the stream, or the tab that has it answered. */
export const follows = (page: Page): Promise<unknown> => page.waitForTimeout(700);

/** Hides a tab from its person, or shows it again, as switching tabs does. */
export const setHidden = (page: Page, hidden: boolean): Promise<unknown> =>
  page.evaluate(`(() => {
    Object.defineProperty(document, "hidden", { configurable: true, value: ${hidden} });
    Object.defineProperty(document, "visibilityState", { configurable: true, value: "${hidden ? "hidden" : "visible"}" });
    document.dispatchEvent(new Event("visibilitychange"));
  })()`);
