import assert from "node:assert/strict";
import { test } from "node:test";
import type { BrowserContextOptions, Page } from "playwright-core";
import { realBrowser } from "../chromium.ts";
import { type World, world } from "../world.ts";

/** Opens a page as the signed-in owner; `without` a clipboard as on a page without https. */
async function opened(
  the: World,
  path: string,
  options: BrowserContextOptions = {},
  without = false,
): Promise<Page> {
  const browser = await realBrowser();
  const context = await browser.newContext({ locale: "en", ...options });
  const { cookies } = await the.signedIn();
  await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: the.authUrl })));
  if (without)
    await context.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
  const page = await context.newPage();
  await page.goto(the.authUrl + path);
  return page;
}

/** Creates a key on its page; returns the key as shown. */
async function newKey(page: Page): Promise<string> {
  await page.getByRole("textbox", { name: "Name" }).fill("Report");
  await page.getByRole("button", { name: "Create key" }).click();
  return await page.locator("#new-key").innerText();
}

test("a new key and its example call are copied with a button, which says so to screen readers", async () => {
  await using the = await world();
  const page = await opened(the, `/projects/${the.project.id}/settings/api-keys`, {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const faults: string[] = [];
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  const key = await newKey(page);
  const copied = () => page.evaluate<string>("navigator.clipboard.readText()");
  await page.getByRole("button", { name: "Copy: API key" }).click();
  await page.getByRole("status").getByText("Copied", { exact: true }).first().waitFor();
  assert.equal(await copied(), key);
  await page.getByRole("button", { name: "Copy: example call" }).focus();
  await page.keyboard.press("Enter");
  await page.getByRole("status").getByText("Copied", { exact: true }).nth(1).waitFor();
  assert.equal(await copied(), await page.locator("pre", { hasText: "curl" }).innerText());
  assert.deepEqual(faults, [], "the content security policy allows the script");
  await page.context().browser()?.close();
});

test("without a clipboard the button still copies, and without script the page has no dead button", async () => {
  await using the = await world();
  const keys = `/projects/${the.project.id}/settings/api-keys`;
  const old = await opened(the, keys, {}, true);
  const key = await newKey(old);
  await old.getByRole("button", { name: "Copy: API key" }).click();
  await old
    .getByRole("status")
    .getByText(/^(Copied|Selected)/)
    .first()
    .waitFor();
  assert.equal(
    (await old.evaluate<string>("String(getSelection())")).trim(),
    key,
    "what is copied is selected",
  );
  await old.context().browser()?.close();
  const plain = await opened(the, keys, { javaScriptEnabled: false });
  await newKey(plain);
  assert.equal(await plain.getByRole("button", { name: /^Copy/ }).count(), 0);
  await plain.context().browser()?.close();
});

test("the Overview page leads to imports and keys, tells nobody to run a command, and offers the MCP URL to copy", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const page = await (await browser.get(`/projects/${the.project.id}/settings/overview`)).text();
  assert.doesNotMatch(page, /npm|<pre><code>leadgate/);
  assert.match(page, new RegExp(`href="/projects/${the.project.id}/imports"`));
  assert.match(page, new RegExp(`href="/projects/${the.project.id}/settings/api-keys"`));
  assert.match(
    page,
    /\/mcp<\/code><\/pre><script src="\/assets\/copy.js" defer data-of="MCP URL" data-copy="Copy"/,
  );
  const viewer = await the.newPerson();
  await the.join(viewer, the.project.id, "viewer");
  const theirs = await (
    await (await the.signedIn(viewer)).get(`/projects/${the.project.id}/settings/overview`)
  ).text();
  assert.match(theirs, /You need the Editor role to add leads\./);
});
