import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../large.ts";
import { checkPage, DESKTOP, PHONE, panelWorld, shortcutsWork } from "./support/panel.ts";

const SCREEN = "settings/statuses";

large("the frame fits every role, on a desktop and a phone, in both languages, light and dark", async () => {
  await using the = await panelWorld();
  for (const role of ["viewer", "editor", "admin", "owner"] as const) {
    const person = await the.newPerson(`Rosa ${role}`);
    await the.join(person, the.project.id, role);
    for (const size of [DESKTOP, PHONE]) {
      const page = await the.open(SCREEN, { as: person, size, language: size === PHONE ? "pt-BR" : "en" });
      if (size === PHONE) await page.getByRole("button", { name: "Menu" }).click();
      const places = page.getByRole("navigation", { name: size === PHONE ? "Lugares" : "Places" });
      const manages = role === "admin" || role === "owner";
      assert.equal(await places.getByRole("link", { name: /API/ }).count(), manages ? 1 : 0, role);
      assert.equal(
        await places.getByRole("link", { name: /^(Log|Registro)$/ }).count(),
        role === "owner" ? 1 : 0,
      );
      await checkPage(page, `${role}, ${size.width}`);
      assert.match(await page.title(), /^Status(es)? · Harbour Sales · Leadgate$/);
      await page.context().close();
    }
  }
});

test("pages and panel are one product: the same places, the same look, light or dark as chosen", async () => {
  await using the = await panelWorld();
  const page = await the.open(SCREEN);
  const places = () => page.getByRole("navigation", { name: "Places" }).getByRole("link").allInnerTexts();
  const inPanel = await places();
  await page.getByRole("button", { name: /Your account/ }).click();
  await page.getByText("Dark", { exact: true }).click();
  await checkPage(page, "account menu");
  await page.goto(`${the.authUrl}/projects/${the.project.id}/settings/api-keys`);
  assert.deepEqual(await places(), inPanel);
  assert.equal(await page.evaluate("getComputedStyle(document.documentElement).colorScheme"), "dark");
  await checkPage(page, "a page");
  await page.getByRole("link", { name: "Statuses" }).click();
  await page.locator("h1").waitFor();
  assert.equal(await page.evaluate("document.documentElement.dataset.mantineColorScheme"), "dark");
});

large("places and commands are found by their names, with the keyboard alone", async () => {
  await using the = await panelWorld();
  await the.newProject(the.person, "Second Project");
  const page = await the.open(SCREEN);
  await page.keyboard.press("Control+k");
  await page.getByPlaceholder("Search leads, pages and commands").waitFor();
  await checkPage(page, "palette");
  await page.keyboard.type("members");
  await page
    .getByRole("button", { name: "Members" })
    .or(page.getByRole("option", { name: "Members" }))
    .first()
    .waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/settings\/members$/);
  await page.goBack();
  await page.locator("h1").waitFor();
  await shortcutsWork(page);
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keyboard shortcuts" }).waitFor();
  await checkPage(page, "shortcuts");
});

test("a person whose session ended is asked to sign in and returns to the same URL", async () => {
  await using the = await panelWorld();
  const page = await the.open(`${SCREEN}?from=here`);
  await page.getByLabel("Add status", { exact: true }).waitFor();
  await the.sql("DELETE FROM session WHERE person_id = $1", [the.person.id]);
  await page.getByLabel("Add status", { exact: true }).fill("paused");
  // Not by the mouse: the panel may have asked before, in which case the dialog covers the button.
  await page.getByRole("button", { name: "Add status" }).dispatchEvent("click");
  await page.getByRole("dialog", { name: "You are signed out" }).waitFor();
  await checkPage(page, "signed out");
  await page.getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel(/e-mail/i).fill(the.person.email);
  await page.getByLabel(/^password/i).fill(the.person.password);
  await page.keyboard.press("Enter");
  await page.waitForURL(`**/${SCREEN}?from=here`);
  await page.getByRole("heading", { name: "Statuses" }).waitFor();
});

test("an anonymous caller is sent to sign in and back, and another person's project looks nonexistent", async () => {
  await using the = await panelWorld();
  const path = `/projects/${the.project.id}/${SCREEN}`;
  const sent = await the.browser().get(path);
  assert.deepEqual(
    [sent.status, sent.headers.get("location")],
    [303, `/sign-in?to=${encodeURIComponent(path)}`],
  );
  const stranger = await the.signedIn(await the.newPerson("Stan"));
  const [theirs, none] = [await stranger.get(path), await stranger.get(path.replace("prj_", "prj_0"))];
  assert.deepEqual([theirs.status, none.status], [404, 404]);
});

test("the panel's page runs no inline script, reaches no other host, and hostile names are text", async () => {
  await using the = await panelWorld();
  const hostile = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;
  const project = await the.newProject(the.person, hostile);
  const page = await the.open(SCREEN, { project: project.id });
  page.on("dialog", () => assert.fail("a script ran"));
  await page.getByRole("button", { name: "Project:" }).click();
  await checkPage(page);
  const answer = await (await the.signedIn()).get(`/projects/${project.id}/${SCREEN}`);
  const policy = answer.headers.get("content-security-policy") ?? "";
  assert.match(policy, /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/);
  assert.doesNotMatch(policy, /unsafe/);
  assert.doesNotMatch(await answer.text(), /<script(?![^>]* src="\/panel\/assets\/)/);
});

test("signing out in the panel ends the session", async () => {
  await using the = await panelWorld();
  const page = await the.open(SCREEN);
  await page.getByRole("button", { name: /Your account/ }).click();
  await page.getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL("**/sign-in");
  assert.deepEqual(await the.sql("SELECT FROM session WHERE person_id = $1", [the.person.id]), []);
});
