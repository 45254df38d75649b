import assert from "node:assert/strict";
import { test } from "node:test";
import axe from "axe-core";
import type { Browser as Chromium, Page } from "playwright-core";
import { askingApplication } from "../../approvals/support/asking.ts";
import type { Browser } from "../../browser.ts";
import { realBrowser } from "../../chromium.ts";
import { large } from "../../large.ts";
import { type World, world } from "../../world.ts";
import { Application } from "../support/application.ts";
import { documentHost, OWN_DOCUMENTS } from "../support/document-host.ts";

const run = (options: string) => `axe.run(document, ${options}).then(({ violations }) =>
  violations.map(({ id, nodes }) => id + ": " + nodes.map(({ html }) => html).join(" | ")))`;

const WHOLE = run(`{ resultTypes: ["violations"] }`);
// The rules that depend on colours; all others give the same result in light and dark mode.
const COLOURS = run(`{ runOnly: ["color-contrast", "link-in-text-block"], resultTypes: ["violations"] }`);

/** Opens a page of the service in the real browser, as this visitor. */
async function opened(chromium: Chromium, the: World, visitor: Browser, path: string): Promise<Page> {
  const context = await chromium.newContext();
  await context.addCookies([...visitor.cookies].map(([name, value]) => ({ name, value, url: the.authUrl })));
  const page = await context.newPage();
  await page.route("https://app.example/**", (route) =>
    route.fulfill({
      contentType: "image/svg+xml",
      body: `<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>`,
    }),
  );
  await page.goto(the.authUrl + path);
  return page;
}

large("axe finds nothing to complain of, light or dark, wide or narrow", async () => {
  await using the = await world({ config: { documents: OWN_DOCUMENTS } });
  await using host = await documentHost();
  const [other, fresh] = [await the.newPerson("Otto"), await the.newPerson("Nina")];
  const team = await the.newProject(other, "Field Team South");
  await the.join(the.person, team.id, "viewer");
  const app = await Application.register(the, {
    client_uri: "https://app.example/about",
    logo_uri: "https://app.example/logo.svg",
  });
  const local = await Application.register(the, { redirect_uris: ["http://127.0.0.1:1234/cb"] });
  const [signedIn, newcomer, stranger] = [await the.signedIn(), await the.signedIn(fresh), the.browser()];
  const viewer = await the.newPerson("Vera");
  await the.join(viewer, team.id, "viewer");
  await app.tokens(signedIn);
  await app.tokens(signedIn, { scopes: ["mcp:read"] });
  await local.tokens(signedIn);
  const asking = await askingApplication(the);
  const leads = [{ name: "Ana Souza", email: "ana@example.org" }, { name: "Bruno" }, { name: 7 }];
  const proposal = await asking.propose("leads.bulk", { op: "create", items: leads });
  const over = await asking.propose("views.create", { name: "All", query: {} });
  await the.sql("UPDATE store.approval SET expires_at = now() WHERE id = $1", [over.id]);
  const pages: Array<[string, Browser, string]> = [
    ["sign-in", stranger, app.address()],
    ["consent with several projects and a logo", signedIn, app.address()],
    ["consent of a viewer", await the.signedIn(viewer), local.address()],
    ["consent without a project", newcomer, local.address()],
    ["consent of a document's application", signedIn, new Application(the, host.url()).address()],
    ["error", signedIn, app.address({ redirect_uri: "https://evil.example/" })],
    ["an error of the application", newcomer, app.address({ scope: undefined })],
    ["no connected apps", newcomer, "/connected-apps"],
    ["connected apps", signedIn, "/connected-apps"],
    ["backups", signedIn, "/backups"],
    ["a proposal", signedIn, new URL(proposal.url).pathname],
    ["an expired proposal", signedIn, new URL(over.url).pathname],
    ["a project's applications", signedIn, `/projects/${the.project.id}/settings/applications`],
    ["project settings", signedIn, `/projects/${the.project.id}/settings`],
    ["project settings of a viewer", signedIn, `/projects/${team.id}/settings`],
  ];
  const chromium = await realBrowser();
  try {
    for (const [name, visitor, path] of pages) {
      const page = await opened(chromium, the, visitor, path);
      await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      await page.evaluate(axe.source);
      for (const width of [1_200, 360]) {
        await page.setViewportSize({ width, height: 780 });
        for (const colorScheme of ["light", "dark"] as const) {
          await page.emulateMedia({ colorScheme });
          const found = await page.evaluate(colorScheme === "light" ? WHOLE : COLOURS);
          assert.deepEqual(found, [], `${name}, ${colorScheme}, ${width}`);
        }
        const wider = await page.evaluate("document.documentElement.scrollWidth - innerWidth");
        assert.ok(Number(wider) <= 0, `${name} at ${width} scrolls sideways`);
      }
      await page.context().close();
    }
  } finally {
    await chromium.close();
  }
});

test("a person creates a project and approves with the keyboard alone; Enter in the project's name approves nothing", async () => {
  await using the = await world();
  const fresh = await the.newPerson("Nina");
  const app = await Application.register(the);
  const chromium = await realBrowser();
  try {
    const page = await opened(chromium, the, await the.signedIn(fresh), app.address());
    const returned: string[] = [];
    page.on("request", (request) => {
      if (request.isNavigationRequest() && request.url().startsWith("https://app.example/cb"))
        returned.push(request.url());
    });
    await page.getByLabel("Name of the new project").focus();
    await page.keyboard.type("Début");
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    assert.equal(page.url(), the.authUrl + app.address());
    assert.ok(await page.getByLabel("Début").isChecked());
    await page.getByText("Create a new project").focus();
    await page.keyboard.press("Enter");
    await page.getByLabel("Name of the new project").focus();
    await page.keyboard.type("Second");
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    assert.ok(await page.getByLabel("Second").isChecked());
    assert.deepEqual(returned, []);
    await page.getByLabel("Create, edit and delete").focus();
    await page.keyboard.press("Space");
    await page.locator("button[value=approve]:not([aria-disabled])").focus();
    await Promise.all([page.waitForEvent("load"), page.keyboard.press("Enter")]);
    assert.equal(returned.length, 1);
    const [granted] = await the.sql<{ scopes: string[]; name: string }>(
      "SELECT c.scopes, p.name FROM store.authorization_code c JOIN store.project p USING (project_id)",
    );
    assert.deepEqual(granted, { scopes: ["mcp:read"], name: "Second" });
    await page.goBack();
    assert.match(await page.locator("h1").innerText(), /access to your leads/, "going back asks anew");
  } finally {
    await chromium.close();
  }
});
