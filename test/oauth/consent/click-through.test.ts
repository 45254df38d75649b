import assert from "node:assert/strict";
import { after, test } from "node:test";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { realBrowser } from "../../chromium.ts";
import { world } from "../../world.ts";
import { Application } from "../support/application.ts";

const the = await world();
let started: Promise<Browser> | undefined;
const chromium = (): Promise<Browser> => {
  started ??= realBrowser();
  return started;
};
after(async () => {
  await started?.then(
    (browser) => browser.close(),
    () => undefined,
  );
  await the[Symbol.asyncDispose]();
});
const visitor = await the.signedIn();
const app = await Application.register(the);

/** The page's clock stands still until a test moves it; the focus and the visibility are what the test says. */
const CONTROLS = `globalThis.seen = { focused: true, visible: true };
document.hasFocus = () => seen.focused;
Object.defineProperty(document, "visibilityState", { get: () => (seen.visible ? "visible" : "hidden") });
globalThis.clicks = [];
addEventListener("click", (event) => clicks.push(event.defaultPrevented));`;

/** Opens the consent page in a browser whose clock stands still. */
async function opened(
  seen = "{}",
  options: BrowserContextOptions = {},
  address = app.address(),
): Promise<Page> {
  const context = await (await chromium()).newContext(options);
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: the.authUrl })));
  const page = await context.newPage();
  if (options.javaScriptEnabled !== false) {
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1_000);
    await page.addInitScript(`${CONTROLS} Object.assign(seen, ${seen});`);
  }
  await page.goto(the.authUrl + address);
  return page;
}

/** Returns what the application receives after this. */
async function returned(page: Page, act: () => Promise<void>): Promise<URLSearchParams> {
  const [request] = await Promise.all([page.waitForRequest(/^https:\/\/app\.example\/cb\?/), act()]);
  return new URL(request.url()).searchParams;
}

const allow = (page: Page) => page.locator("button[value=approve]");

/** Clicks on Allow as a person does: where it is, whether or not it is active. */
async function clickAllow(page: Page): Promise<void> {
  const box = await allow(page).boundingBox();
  assert.ok(box !== null);
  await page.mouse.click(box.x + box.width / 2, box.y + box.height / 2);
}

const isActive = async (page: Page) => (await allow(page).getAttribute("aria-disabled")) !== "true";

/** Changes what the page can see of itself, and tells it so as a browser does. */
const change = (page: Page, seen: string, target: string, event: string) =>
  page.evaluate(`Object.assign(seen, ${seen}); ${target}.dispatchEvent(new Event("${event}"))`);

test("a click or Enter on Allow counts only after the page was visible and focused for 700 ms", async () => {
  const codes = async () => (await the.sql("SELECT FROM store.authorization_code")).length;
  const before = await codes();
  const page = await opened();
  assert.equal(
    await page.evaluate("document.activeElement.localName"),
    "body",
    "nothing has the focus at the start",
  );
  assert.equal(await isActive(page), false);
  await clickAllow(page);
  await allow(page).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Space");
  await page.clock.runFor(690);
  await clickAllow(page);
  assert.deepEqual(await page.evaluate("clicks"), [true, true, true, true]);
  assert.equal(await page.getByRole("status").textContent(), "");
  await page.clock.runFor(30);
  assert.equal(await isActive(page), true);
  assert.equal(await page.getByRole("status").textContent(), "You can now choose Allow.");
  assert.equal(await codes(), before);
  assert.ok((await returned(page, () => clickAllow(page))).get("code"));
  await page.context().close();
});

test("the link of an error page does not open before the 700 ms are over, in another tab either", async () => {
  const unknown = await Application.register(the);
  for (const button of ["left", "middle"] as const) {
    const page = await opened("{}", {}, unknown.address({ scope: undefined }));
    await page.evaluate(`addEventListener("auxclick", (event) => clicks.push(event.defaultPrevented))`);
    const link = await page.locator("a.button").boundingBox();
    assert.ok(link !== null);
    const press = () => page.mouse.click(link.x + link.width / 2, link.y + link.height / 2, { button });
    await press();
    assert.deepEqual(await page.evaluate("clicks"), [true], button);
    await page.clock.runFor(720);
    const [request] = await Promise.all([
      page.context().waitForEvent("request", (asked) => asked.url().startsWith("https://app.example/")),
      press(),
    ]);
    assert.match(request.url(), /error=invalid_request/);
    await page.context().close();
  }
});

test("a press that starts before the 700 ms are over does not count, however long it is held", async () => {
  for (const keys of [undefined, "Space", "Enter"] as const) {
    const page = await opened();
    const box = await allow(page).boundingBox();
    assert.ok(box !== null);
    if (keys === undefined) {
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.clock.runFor(720);
      await page.mouse.up();
    } else {
      await allow(page).focus();
      await page.keyboard.down(keys);
      await page.clock.runFor(720);
      // a key that is held repeats
      await page.keyboard.down(keys);
      await page.keyboard.up(keys);
    }
    const clicks = keys === "Enter" ? [true, true] : [true];
    assert.deepEqual(await page.evaluate("clicks"), clicks, keys ?? "mouse");
    await page.clock.runFor(10);
    assert.ok((await returned(page, () => clickAllow(page))).get("code"), "the next press counts");
    await page.context().close();
  }
});

test("time in the background does not count, and each return starts the time again", async () => {
  for (const [away, home, target, events] of [
    ["{ focused: false }", "{ focused: true }", "globalThis", ["blur", "focus"]],
    ["{ visible: false }", "{ visible: true }", "document", ["visibilitychange", "visibilitychange"]],
  ] as const) {
    const page = await opened(away);
    await page.clock.runFor(60_000);
    assert.equal(await isActive(page), false, `${away} since the start`);
    await change(page, home, target, events[1]);
    await page.clock.runFor(690);
    assert.equal(await isActive(page), false);
    await page.clock.runFor(30);
    assert.equal(await isActive(page), true);

    await change(page, away, target, events[0]);
    assert.equal(await isActive(page), false, `${away} after it was active`);
    await page.clock.runFor(60_000);
    await change(page, home, target, events[1]);
    await page.clock.runFor(400);
    await change(page, away, target, events[0]);
    await change(page, home, target, events[1]);
    await page.clock.runFor(400);
    await clickAllow(page);
    assert.deepEqual(await page.evaluate("clicks"), [true], "two halves are not 700 ms in a row");
    await page.context().close();
  }
});

test("a page that comes back from the browser's memory starts the time again", async () => {
  const page = await opened();
  await page.clock.runFor(720);
  assert.equal(await isActive(page), true);
  await page.evaluate(`dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))`);
  assert.equal(await isActive(page), false);
  await page.clock.runFor(720);
  assert.equal(await isActive(page), true);
  await page.context().close();
});

test("Deny works at once", async () => {
  const page = await opened();
  const answer = await returned(page, () => page.locator("button[value=deny]").click());
  assert.equal(answer.get("error"), "access_denied");
  await page.context().close();
});

test("without script, the form works at once", async () => {
  const page = await opened("{}", { javaScriptEnabled: false });
  assert.equal(await isActive(page), true);
  assert.ok((await returned(page, () => clickAllow(page))).get("code"));
  await page.context().close();
});

test("there is no button to click before the script is there", async () => {
  const context = await (await chromium()).newContext();
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: the.authUrl })));
  const page = await context.newPage();
  let release = () => {};
  const asked = new Promise<void>((resolve) => {
    page.route("**/assets/consent.js", async (route) => {
      await new Promise<void>((go) => {
        release = go;
        resolve();
      });
      await route.continue();
    });
  });
  const loaded = page.goto(the.authUrl + app.address());
  await Promise.race([asked, loaded]);
  assert.equal(await page.locator("main, button").count(), 0);
  release();
  await loaded;
  assert.equal(await allow(page).count(), 1);
  await context.close();
});
