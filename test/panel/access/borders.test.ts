import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { SCREENS } from "../../../src/core/panel.ts";
import { bodyOf } from "../../api/support/v1.ts";
import { large } from "../../large.ts";
import { faintBorders, faintFocus } from "../support/borders.ts";
import { checkByAxe, type PanelWorld, panelWorld } from "../support/panel.ts";

const LISTS = [...SCREENS.filter((screen) => !screen.includes(":")), "imports/new"];
const PAGES = [
  "/account",
  "/account/two-factor",
  "/account/passkeys",
  "/",
  "/connected-apps",
  "/account/email",
];
const OF_PROJECT = [
  "settings",
  "settings/members",
  "settings/api-keys",
  "settings/applications",
  "settings/log",
  "settings/do-not-contact",
];

/** Returns the faint borders of a page, and the faint marks of what the Tab key reaches first. */
async function faintOn(page: Page, about: string): Promise<string[]> {
  const found = (await faintBorders(page)).map((each) => `${about}: ${each}`);
  for (let i = 0; i < 6; i += 1) {
    await page.keyboard.press("Tab");
    found.push(...(await faintFocus(page)).map((each) => `focus on ${about}: ${each}`));
  }
  return found;
}

async function every(the: PanelWorld, look: "light" | "dark"): Promise<string[]> {
  const key = await the.key(["leads:write", "leads:read"]);
  const { id } = await bodyOf<{ id: string }>(
    await key.send("POST", "/api/v1/leads", { name: "Ana", email: "ana@x.example", tags: ["a"] }),
    201,
  );
  const found: string[] = [];
  const check = async (page: Page, about: string) => void found.push(...(await faintOn(page, about)));
  const page = await the.open("leads", { look });
  for (const screen of [...LISTS, `leads/${id}`]) {
    await page.goto(`${the.authUrl}/projects/${the.project.id}/${screen}`);
    await page.locator("h1").first().waitFor();
    await page.locator("[aria-busy=true], .mantine-Skeleton-root").first().waitFor({ state: "detached" });
    await check(page, `${screen}, ${look}`);
  }
  await page.goto(`${the.authUrl}/projects/${the.project.id}/leads`);
  await page.locator("h1").first().waitFor();
  await page
    .getByRole("button", { name: /^Filter/ })
    .first()
    .click();
  await page.getByRole("dialog").or(page.getByRole("menu")).first().waitFor();
  await check(page, `filter, ${look}`);
  for (const path of [...PAGES, ...OF_PROJECT.map((each) => `/projects/${the.project.id}/${each}`)]) {
    assert.equal((await page.goto(`${the.authUrl}${path}`))?.status(), 200, path);
    await check(page, `${path}, ${look}`);
  }
  return found;
}

large(
  "the list of leads passes axe in light and dark mode, and its borders and marks of focus have a contrast of 3:1",
  async () => {
    await using the = await panelWorld();
    for (const look of ["light", "dark"] as const) {
      const page = await the.open("leads", { look });
      await page.getByRole("button", { name: /^Filter/ }).waitFor();
      if (look === "light") await checkByAxe(page, "leads");
      assert.deepEqual(await faintOn(page, `leads, ${look}`), []);
    }
  },
);

for (const look of ["light", "dark"] as const)
  large(`borders of controls and marks of focus have a contrast of 3:1 on every page, ${look}`, async () => {
    await using the = await panelWorld();
    assert.deepEqual(await every(the, look), []);
  });
