import assert from "node:assert/strict";
import axe from "axe-core";
import type { Browser as Chromium, Page } from "playwright-core";
import { LOOK_COOKIE, type Look } from "../../../src/core/look.ts";
import { realBrowser } from "../../chromium.ts";
import { type World, type WorldOptions, world } from "../../world.ts";
import { builtPanel } from "./built.ts";
import { leaveTab, openTab, type Tab } from "./tabs.ts";

// Mantine's dialogs have a <header>; inside role="dialog" it is not a banner, which axe does not recognize.
const RULES = `{ "landmark-no-duplicate-banner": { enabled: false }, "landmark-unique": { enabled: false } }`;
const STANDARDS = `{ type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }`;
// The rules that depend on colours; all others give the same result in light and dark mode, and checking them
// once saves half of the time.
const COLOURS = `{ type: "rule", values: ["color-contrast", "link-in-text-block"] }`;
// Computes only violations, without selectors: a violation's HTML identifies it.
const axeRun = (
  only: string,
) => `axe.run(document, { rules: ${RULES}, runOnly: ${only}, resultTypes: ["violations"], selectors: false, preload: false }).then(
  ({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`;

export const DESKTOP = { width: 1_280, height: 800 };
export const PHONE = { width: 390, height: 844 };

interface Visit {
  /** The signed-in person; by default the owner of the world's project. */
  as?: World["person"];
  /** The project; by default the world's. */
  project?: string;
  size?: { width: number; height: number };
  language?: "en" | "pt-BR";
  look?: Look;
}

/** A world with a built panel and a real browser. */
export interface PanelWorld extends World {
  chromium: Chromium;
  /**
   * Opens a screen (`settings/statuses`, optionally with a query) as a person; fails on what `checkPage`
   * watches for.
   */
  open(screen: string, visit?: Visit): Promise<Page>;
}

/** What a page did that none of our pages may do; see `checkPage`. */
const faults = new WeakMap<Page, string[]>();

/** One browser for a process; visits share no state in it. */
let shared: Promise<Chromium> | undefined;

export async function panelWorld(options: WorldOptions = {}): Promise<PanelWorld> {
  const the = await world({ ...options, panelDir: builtPanel() });
  shared ??= realBrowser();
  const chromium = await shared;
  const opened: Tab[] = [];
  return {
    ...the,
    chromium,
    async open(screen, visit = {}) {
      const visitor = await the.signedIn(visit.as);
      const tab = await openTab(chromium, the.authUrl, visit.language ?? "en");
      opened.push(tab);
      const { page } = tab;
      const cookies = [
        ...visitor.cookies,
        ...(visit.look === undefined ? [] : [[LOOK_COOKIE, visit.look] as const]),
      ];
      await tab.context.addCookies(cookies.map(([name, value]) => ({ name, value, url: the.authUrl })));
      await page.setViewportSize(visit.size ?? DESKTOP);
      watch(page, the);
      await page.goto(`${the.authUrl}/projects/${visit.project ?? the.project.id}/${screen}`);
      await page.locator("h1").first().waitFor();
      await shortcutsWork(page);
      return page;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map(leaveTab));
      await the[Symbol.asyncDispose]();
    },
  };
}

/** Waits until the effects of what is shown have run: they listen to the shortcuts. */
export const shortcutsWork = (page: Page): Promise<unknown> =>
  page.evaluate("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))");

/**
 * Records console errors (including violations of the content security policy) and requests to other hosts.
 */
function watch(page: Page, the: World): void {
  const seen: string[] = [];
  faults.set(page, seen);
  page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
  page.on("console", (message) => {
    // The browser itself logs refused calls; the screen is responsible for showing them.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource")) {
      seen.push(`console: ${message.text()}`);
    }
  });
  page.on("request", (request) => {
    const url = request.url();
    if (!url.startsWith(the.authUrl) && !url.startsWith("data:") && !url.startsWith("blob:"))
      seen.push(`request: ${url}`);
  });
}

/** Waits until an opening dialog has taken the focus: it would take it from a test that fills its second field at once. */
export const dialogHasFocus = (page: Page): Promise<unknown> =>
  page.evaluate(`new Promise((done) => {
    const isIn = () => document.activeElement?.closest("[role=dialog]") != null;
    const look = () => setTimeout(() => (isIn() ? setTimeout(done, 50) : look()), 10);
    look();
  })`);

/**
 * Checks the screen once it has settled: nothing scrolls sideways, and since opening there was no console error, policy
 * violation or request to another host. In the second tier, axe finds nothing either (WCAG 2.2 AA), in light and dark mode.
 */
export async function checkPage(page: Page, name: string = page.url()): Promise<void> {
  if (process.env.LEADGATE_TEST_TIER !== "first") await checkByAxe(page, name);
  const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
  assert.ok(Number(wider) <= 0, `${name} scrolls sideways by ${wider}`);
  assert.deepEqual(faults.get(page) ?? [], [], name);
}

export async function checkByAxe(page: Page, name: string): Promise<void> {
  if (!(await page.evaluate<boolean>("'axe' in window"))) await page.evaluate(axe.source);
  for (const look of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme: look, reducedMotion: "reduce" });
    await page.waitForTimeout(50);
    const found = await lastingFindings(page, look === "light" ? STANDARDS : COLOURS);
    assert.deepEqual(found, [], `${name}, ${look}`);
  }
}

/**
 * Returns what axe still finds 3 s after it first found something. Transient states are no findings: rows fade
 * while new ones are fetched, and a dialog gets its name one rendering after its box.
 */
async function lastingFindings(page: Page, only: string): Promise<string[]> {
  let patience: number | undefined;
  for (;;) {
    const found = await page.evaluate<string[]>(axeRun(only));
    patience ??= Date.now() + 3_000;
    if (found.length === 0 || Date.now() > patience) return found;
    await page.waitForTimeout(200);
  }
}
