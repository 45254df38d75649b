import assert from "node:assert/strict";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { checkPage, type PanelWorld, panelWorld } from "../support/panel.ts";

const KEPT = "sessionStorage.getItem('leadgate-person')";

async function signOut(page: Page, words = { account: /Your account/, out: "Sign out" }): Promise<void> {
  await page.getByRole("button", { name: words.account }).click();
  await page.getByRole("button", { name: words.out, exact: true }).click();
  await page.mouse.move(0, 0); // where no tooltip of what lay below the menu comes up
}

const sessions = (the: PanelWorld) => the.sql("SELECT FROM session WHERE person_id = $1", [the.person.id]);

test("a person whose sign-out fails stays signed in, is told so, and may try again", async () => {
  await using the = await panelWorld({ alone: true });
  for (const language of ["en", "pt-BR"] as const) {
    await the.sql("DELETE FROM session WHERE person_id = $1", [the.person.id]);
    const page = await the.open("settings/statuses", { language });
    await page.route("**/panel/api/sign-out", (route) => route.abort("connectionrefused"));
    if (language === "en") await signOut(page);
    else await signOut(page, { account: /Sua conta/, out: "Sair" });
    const said = page.getByRole("alert");
    await said
      .getByText(
        language === "en"
          ? "You are still signed in. Cannot reach the service. Check your connection and try again."
          : "Você ainda está conectado. Não foi possível acessar o serviço. Verifique sua conexão e tente novamente.",
      )
      .waitFor();
    await checkPage(page);
    assert.match(page.url(), /settings\/statuses$/);
    assert.equal(await page.evaluate(KEPT), the.person.id);
    assert.equal((await sessions(the)).length, 1);
    await page.unroute("**/panel/api/sign-out");
    await said.getByRole("button", { name: /Try again|Tentar novamente/ }).click();
    await page.waitForURL("**/sign-in");
    assert.equal(await page.evaluate(KEPT), null);
    assert.equal((await sessions(the)).length, 0);
  }
});

test("who signed in again in another tab signs out of the new session", async () => {
  await using the = await panelWorld();
  const page = await the.open("settings/statuses");
  await page.waitForLoadState("networkidle");
  const again = await the.signedIn();
  await page
    .context()
    .addCookies([...again.cookies].map(([name, value]) => ({ name, value, url: the.authUrl })));
  // Only now, because a request of the page without a session would lead it to sign-in.
  await the.sql(
    "DELETE FROM session WHERE person_id = $1 AND created_at < (SELECT max(created_at) FROM session WHERE person_id = $1)",
    [the.person.id],
  );
  await signOut(page);
  await page.waitForURL("**/sign-in");
  assert.equal((await sessions(the)).length, 0);
});

test("a person whose session has ended already comes to sign-in, and leaves nothing in the tab", async () => {
  await using the = await panelWorld();
  const page = await the.open("settings/statuses");
  // Any other answer would tell that the session has ended before the person can sign out.
  await page.waitForLoadState("networkidle");
  await page.route(
    (url) => url.pathname.startsWith("/panel/api/") && url.pathname !== "/panel/api/sign-out",
    () => undefined,
  );
  await the.sql("DELETE FROM session WHERE person_id = $1", [the.person.id]);
  await signOut(page);
  await page.waitForURL("**/sign-in");
  assert.equal(await page.evaluate(KEPT), null);
});
