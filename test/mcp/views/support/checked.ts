import assert from "node:assert/strict";
import axe from "axe-core";
import type { Shown } from "./host.ts";

const STANDARDS = `{ type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] }`;
/** The only rules whose findings differ between light and dark. */
const COLOURS = `{ type: "rule", values: ["color-contrast", "link-in-text-block"] }`;

const axeRun = (only: string) => `axe.run(document, { runOnly: ${only}, resultTypes: ["violations"] }).then(
  ({ violations }) => violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`;

/**
 * Checks a view in light and dark: axe finds nothing (WCAG 2.2 AA), nothing scrolls sideways but tables, the host gives it
 * the height that it reported, and nothing happened that no view may do.
 */
export async function checked(shown: Shown, name: string): Promise<void> {
  const { frame } = shown;
  if (!(await frame.evaluate<boolean>("'axe' in window"))) await frame.evaluate(axe.source);
  for (const theme of ["light", "dark"] as const) {
    await shown.change({ theme });
    const found = await frame.evaluate<string[]>(axeRun(theme === "light" ? STANDARDS : COLOURS));
    assert.deepEqual(found, [], `${name}, ${theme}`);
  }
  const [wider, higher] = await frame.evaluate<[number, number]>(
    "[document.documentElement.scrollWidth - innerWidth, document.documentElement.scrollHeight - innerHeight]",
  );
  assert.ok(wider <= 0, `${name} scrolls sideways by ${wider}`);
  assert.ok(higher <= 0, `${name} has ${higher} pixels more than it reported`);
  assert.deepEqual(shown.faults, [], name);
}

/** Returns the text of the view, with its white space as a person sees it. */
export const textOf = async ({ frame }: Shown, selector = "main"): Promise<string> =>
  (await frame.locator(selector).innerText()).replaceAll(/\s+/g, " ").trim();
