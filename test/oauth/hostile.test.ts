import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { realBrowser } from "../chromium.ts";
import { large } from "../large.ts";
import { world } from "../world.ts";
import { Application } from "./support/application.ts";
import { PAYLOADS } from "./support/payloads.ts";

const escaped = (text: string): string => text.replace(/[&<>"']/g, (each) => `&#${each.charCodeAt(0)};`);

/** Returns a payload as a URL: characters that a URL cannot hold are percent-encoded, quotes and brackets stay. */
const addressOf = (payload: string): string =>
  `https://app.example/${payload.replace(/[\s\\\p{Cc}\p{Cf}\u00a0]/gu, (each) => encodeURIComponent(each))}`;

const metadataOf = (payload: string) => ({
  client_name: payload,
  client_uri: addressOf(payload),
  logo_uri: addressOf(`${payload}.png`),
});

/** Returns a page without what changes at each visit. */
const settled = (page: string): string =>
  page.replace(/(name="(?:request|token|seen|form_token|\w+_id)" value=")[^"]*/g, "$1");

large("500 hostile names, logos and addresses change nothing of the page but its text", async () => {
  assert.equal(new Set(PAYLOADS).size, 500);
  await using the = await world();
  const browser = await the.signedIn();
  const pageOf = async (payload: string): Promise<string> => {
    const app = await Application.register(the, metadataOf(payload));
    const answer = await browser.get(app.address());
    assert.equal(answer.status, 200, payload);
    return settled(await answer.text());
  };
  const plain = await pageOf("MARK");
  for (const payload of PAYLOADS) {
    const expected = plain
      .replaceAll(addressOf("MARK.png"), () => escaped(addressOf(`${payload}.png`)))
      .replaceAll(addressOf("MARK"), () => escaped(addressOf(payload)))
      .replaceAll("<bdi>MARK</bdi>", () => `<bdi>${escaped(payload)}</bdi>`);
    assert.equal(await pageOf(payload), expected, payload);
  }
});

test("hostile names of applications, projects and requests execute nowhere in a real browser, nor do they add an element", async () => {
  await using the = await world();
  const some = PAYLOADS.filter((_, index) => index % 9 === 0);
  const browser = await the.signedIn();
  await the.newProject(the.person, `"><img src=x onerror=hit()>`);
  const chromium = await realBrowser();
  try {
    const context = await chromium.newContext();
    await context.addCookies(
      [...browser.cookies].map(([name, value]) => ({ name, value, url: the.authUrl })),
    );
    const page = await context.newPage();
    const faults: string[] = [];
    await page.exposeFunction("hit", () => faults.push(`executed: ${page.url()}`));
    page.on("dialog", async (dialog) => {
      faults.push(`dialog: ${dialog.message()}`);
      await dialog.dismiss();
    });
    page.on("console", (line) => {
      if (/content security policy/i.test(line.text())) faults.push(line.text());
    });
    page.on("request", (sent) => {
      if (/evil\.example/.test(new URL(sent.url()).host)) faults.push(`asked ${sent.url()}`);
    });
    await page.route("https://app.example/**", (route) => route.abort());
    // Without the attribute that the guarded button has only until the page was visible for a moment.
    const outline = (): Promise<string> =>
      page.evaluate(
        `[...document.querySelectorAll("*")].map((each) => each.localName
          + each.getAttributeNames().filter((name) => name !== "aria-disabled").join()).join(" ")`,
      );
    const opened = async (payload: string): Promise<string> => {
      const app = await Application.register(the, metadataOf(payload));
      await page.goto(the.authUrl + app.address({ state: payload }));
      return await outline();
    };
    const expected = await opened("An application");
    for (const payload of some) assert.equal(await opened(payload), expected, payload);
    for (const payload of some.slice(0, 10)) {
      await page.goto(
        `${the.authUrl}/oauth/authorize?client_id=${encodeURIComponent(payload)}&redirect_uri=x`,
      );
      assert.match(await outline(), /h1/);
    }
    assert.deepEqual(faults, []);
  } finally {
    await chromium.close();
  }
});

test("hostile names among connected apps are text as well", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const some = PAYLOADS.filter((_, index) => index % 20 === 0);
  for (const payload of some) {
    await (await Application.register(the, metadataOf(payload))).tokens(browser, { scopes: ["mcp:read"] });
  }
  const page = await (await browser.get("/connected-apps")).text();
  for (const payload of some) assert.ok(page.includes(`<bdi>${escaped(payload)}</bdi>`), payload);
  const frame = [
    '<svg class="lg-icon" viewBox="0 0 24 24" aria-hidden="true">',
    '<img src="/assets/leadgate.svg" alt="">',
    '<script src="/assets/once.js" defer>',
  ];
  const tags = (page.match(/<(?!\/)[a-z!][^>]*>/gi) ?? []).filter((tag) => !frame.includes(tag));
  assert.deepEqual(
    tags.filter((tag) => /\bon\w+=|javascript:|<(script|iframe|svg|img|style|base|meta http)/i.test(tag)),
    [],
  );
});

test("no other page can frame sign-in or consent in a real browser", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const address = the.authUrl + app.address();
  const framer = createServer((_request, response) => {
    response.setHeader("Content-Type", "text/html");
    response.end(`<iframe src="${address.replaceAll("&", "&amp;")}"></iframe>`);
  });
  await new Promise<void>((resolve) => framer.listen(0, "localhost", resolve));
  const { port } = framer.address() as { port: number };
  const chromium = await realBrowser();
  try {
    for (const cookies of [[], [...browser.cookies]]) {
      const context = await chromium.newContext();
      await context.addCookies(cookies.map(([name, value]) => ({ name, value, url: the.authUrl })));
      const page = await context.newPage();
      await page.goto(`http://localhost:${port}/`, { waitUntil: "load" });
      const [, inside] = page.frames();
      assert.ok(inside !== undefined);
      assert.equal(
        await inside
          .locator("form, h1")
          .filter({ hasText: /Give|Sign in/ })
          .count(),
        0,
      );
      await page.goto(address);
      assert.ok((await page.locator("form").count()) > 0, "alone it opens");
    }
  } finally {
    await chromium.close();
    framer.close();
  }
});
