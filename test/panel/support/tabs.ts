import type { BrowserContext, Browser as Chromium, Page } from "playwright-core";
import { atEndOfFile } from "../../ends.ts";

/** A page of the browser, alone in its context. */
export interface Tab {
  context: BrowserContext;
  page: Page;
  /** What has to be the same for another test of the file to use it: the service and the language. */
  key: string;
  /** Whether the test did something with it that nothing takes back. */
  isUsedUp: boolean;
}

const HEARD = [
  "dialog",
  "console",
  "pageerror",
  "request",
  "requestfinished",
  "requestfailed",
  "response",
  "popup",
];

/** Pages that another test of the file left. A page keeps the panel's files and their compiled code, half of what opening costs. */
const left: Tab[] = [];

/** Returns a blank page without cookies, storage or listeners: one that another test left, or a new one. */
export async function openTab(chromium: Chromium, origin: string, language: string): Promise<Tab> {
  const key = `${origin} ${language}`;
  const at = left.findIndex((tab) => tab.key === key);
  const [kept] = at < 0 ? [] : left.splice(at, 1);
  if (kept !== undefined && (await isBlank(kept, origin))) return kept;
  const context = await chromium.newContext({ locale: language, reducedMotion: "reduce" });
  const tab: Tab = { context, page: await context.newPage(), key, isUsedUp: false };
  noteUse(tab);
  return tab;
}

/** Leaves a page for the next test of the file, unless it is closed or used up. */
export async function leaveTab(tab: Tab): Promise<void> {
  const { context, page } = tab;
  if (tab.isUsedUp || page.isClosed() || context.pages().length !== 1) return await context.close();
  for (const event of HEARD) page.removeAllListeners(event);
  // A page with unsaved text asks before it is left.
  page.on("dialog", (dialog) => void dialog.accept().catch(() => undefined));
  await page.unrouteAll({ behavior: "ignoreErrors" });
  // Nothing of the panel goes on in it.
  const isEmpty = await page.goto("about:blank", { timeout: 5_000 }).then(
    () => true,
    () => false,
  );
  if (!isEmpty) return await context.close();
  if (left.length === 0) atEndOfFile(() => Promise.all(left.splice(0).map((each) => each.context.close())));
  left.push(tab);
}

/** Empties a page that was left; false if it cannot be used again. */
async function isBlank({ context, page }: Tab, origin: string): Promise<boolean> {
  try {
    await page.goto(`${origin}/livez`, { timeout: 5_000 });
    await page.evaluate("localStorage.clear(), sessionStorage.clear(), document.title = ''");
    await context.clearCookies();
    await page.emulateMedia({ colorScheme: null, reducedMotion: "reduce" });
    page.removeAllListeners("dialog");
    return true;
  } catch {
    await context.close();
    return false;
  }
}

/** Marks the page as used up once a test changes its clock, adds scripts to it, or reaches for its context. */
function noteUse(tab: Tab): void {
  const { page } = tab;
  const { clock } = page;
  const mark = <T>(value: T): T => {
    tab.isUsedUp = true;
    return value;
  };
  const original = { context: page.context.bind(page), addInitScript: page.addInitScript.bind(page) };
  const exposeFunction = page.exposeFunction.bind(page);
  Object.defineProperty(page, "clock", { get: () => mark(clock) });
  page.context = () => mark(original.context)();
  page.addInitScript = (...words) => mark(original.addInitScript)(...words);
  page.exposeFunction = (...words) => mark(exposeFunction)(...words);
}
