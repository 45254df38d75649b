import assert from "node:assert/strict";
import { test } from "node:test";
import { large } from "../../large.ts";
import { panelWorld, shortcutsWork } from "../support/panel.ts";

test("a single key does nothing while a control has the focus, and works where none has", async () => {
  await using the = await panelWorld();
  const page = await the.open("datasets");
  const dialog = page.getByRole("dialog");
  for (const control of [
    page.getByRole("banner").getByRole("button").first(),
    page.getByRole("navigation").getByRole("link").first(),
    page.getByRole("main").getByRole("button").first(),
  ]) {
    await control.focus();
    await page.keyboard.press("c");
    await page.keyboard.press("?");
    await shortcutsWork(page);
    assert.equal(await dialog.count(), 0, await control.innerText());
  }
  await page.evaluate("document.activeElement.blur()");
  await page.keyboard.press("c");
  await dialog.waitFor();
});

large(
  "single-key shortcuts are turned off in the account, for the person and not the browser, and are gone from the help",
  async () => {
    await using the = await panelWorld();
    const page = await the.open("datasets");
    await page.keyboard.press("?");
    const dialog = page.getByRole("dialog");
    await dialog.getByRole("link", { name: "Turn off single-key shortcuts in your account" }).click();
    await page.waitForURL(/\/account#shortcuts$/);
    const box = page.getByRole("checkbox", { name: "Use shortcuts of a single key in the panel" });
    assert.equal(await box.isChecked(), true);
    await box.uncheck();
    await page.locator("form", { has: box }).getByRole("button", { name: "Save" }).click();
    await page.getByText("Saved.").waitFor();
    assert.equal(await box.isChecked(), false);
    const elsewhere = await the.open("datasets", { language: "pt-BR" });
    for (const key of ["c", "?", "/"]) await elsewhere.keyboard.press(key);
    await shortcutsWork(elsewhere);
    assert.equal(await dialog.count(), 0);
    assert.equal(await elsewhere.getByRole("dialog").count(), 0);
    await elsewhere.keyboard.press("ControlOrMeta+k");
    await elsewhere.getByRole("dialog").waitFor();
    await elsewhere.keyboard.type("atalhos");
    await elsewhere.keyboard.press("Enter");
    await elsewhere.getByText("Os atalhos de uma só tecla estão desativados.").waitFor();
    const keys = await elsewhere.locator("kbd").allInnerTexts();
    assert.deepEqual(
      keys.filter((key) => key === "c" || key === "?"),
      [],
    );
  },
);
