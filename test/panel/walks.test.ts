import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
import { CONTACTS } from "../../src/cli/demo/contacts-file.ts";
import { prepareDemo } from "../../src/cli/demo/demo-data.ts";
import { wordsOf } from "../../src/cli/demo.ts";
import { large } from "../large.ts";
import { Application, exchange } from "../oauth/support/application.ts";
import { lacks } from "../programs.ts";
import { DESKTOP, type PanelWorld, panelWorld } from "./support/panel.ts";

// Each walk is that of a new person, who has the output of `npm run demo` and clicks what is visible.
let the: PanelWorld;
let words: string;
const folder = mkdtempSync(join(tmpdir(), "leadgate-walks-"));

before(async () => {
  the = await panelWorld();
  // Only some of the contacts: another test uses all of them.
  const some = readFileSync(CONTACTS, "utf8").split("\n").slice(0, 1_001).join("\n");
  words = wordsOf(the.config, await prepareDemo(the.service, folder, async () => some));
});
after(async () => {
  await the[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

/** Signs in with the printed credentials, on our page. */
async function arrived(): Promise<Page> {
  const [, address = ""] = /Sign in +(\S+)/.exec(words) ?? [];
  const [, email = "", password = ""] = /\n +(\S+@\S+) +(\S+)\n/.exec(words) ?? [];
  const context = await the.chromium.newContext({ viewport: DESKTOP, locale: "en", reducedMotion: "reduce" });
  const page = await context.newPage();
  await page.goto(address);
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.getByRole("navigation", { name: "Places" }).waitFor();
  return page;
}

/** Opens a screen through the navigation. */
async function go(page: Page, place: string): Promise<void> {
  await page
    .getByRole("navigation", { name: "Places" })
    .getByRole("link", { name: place, exact: true })
    .click();
  await page.getByRole("heading", { level: 1, name: place, exact: true }).waitFor();
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
/** Returns the output of a `curl` line. */
const inShell = async (line: string): Promise<string> =>
  (await promisify(execFile)("bash", ["-c", line.replace("curl ", "curl -sS ")])).stdout;

large("a new person finds the leads of a source in the last month and saves the view", async () => {
  // Leads that arrived since the campaign, sent with the key that the demo prints.
  const [, key = ""] = /Bearer (lgk_\w+)/.exec(words) ?? [];
  const lead = (place: number) => ({
    name: `Guest ${place}`,
    source: place % 3 === 0 ? "Webinar" : "Trade fair",
  });
  const answer = await fetch(`${the.baseUrl}/api/v1/leads/bulk`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
    body: JSON.stringify({ op: "create", items: Array.from({ length: 30 }, (_, place) => lead(place)) }),
  });
  assert.equal(answer.status, 200);

  const page = await arrived();
  await go(page, "Leads");
  await button(page, "Filter").click();
  const dialog = page.getByRole("dialog");
  const choose = async (field: string) => {
    await button(page, "Condition").click();
    await dialog.getByRole("combobox", { name: "Field" }).last().fill(field);
    await page.getByRole("option", { name: field, exact: true }).click();
  };
  await choose("Source");
  await dialog.getByLabel("Value: Source", { exact: true }).fill("webinar");
  await page.keyboard.press("Tab");
  await choose("Created");
  await dialog.getByLabel("Amount: Value: Created", { exact: true }).fill("1");
  await dialog.getByLabel("Unit: Value: Created", { exact: true }).selectOption("month");
  await dialog.getByText("10 matching leads").waitFor();
  await button(page, "Done").click();
  await page.getByText("10 leads", { exact: true }).waitFor();
  await button(page, "Save as view").click();
  await dialog.getByLabel("Name").fill("Webinar, last month");
  await dialog.getByRole("button", { name: "Save as view" }).click();
  await page.getByText("View saved").waitFor();
  await go(page, "Board");
  await go(page, "Leads");
  await page.getByRole("link", { name: "Webinar, last month" }).click();
  await page.getByText("10 leads", { exact: true }).waitFor();
  await page.context().close();
});

large("a new person imports a file with errors and fixes them", async () => {
  const page = await arrived();
  await go(page, "Imports");
  await page.getByRole("link", { name: "Import a file" }).first().click();
  const lines = [
    "Name,E-mail,Value",
    "Paula,paula@norte.example,100",
    "Vera,vera.norte,200",
    "Lia,lia@norte.example,a lot",
  ];
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name: "guests.csv", mimeType: "text/csv", buffer: Buffer.from(lines.join("\n")) });
  await button(page, "Continue to columns").click();
  await button(page, "Check file").click();
  await page.getByText("Here is what the import will do.").waitFor();
  await page.getByLabel("E-mail, row 3").fill("vera@norte.example");
  await page.getByLabel("Value, row 4").fill("300");
  await button(page, /^Import 1 rows?$/).click();
  await button(page, "Import corrected rows (2)").click();
  await button(page, "Import 2 rows").click();
  await page.getByRole("heading", { name: "Files" }).waitFor();
  await go(page, "Leads");
  await page.getByRole("searchbox").fill("norte.example");
  await page.getByText("3 leads", { exact: true }).waitFor();
  await page.context().close();
});

test("a new person makes a key and uses it by the line that is shown", {
  skip: lacks("bash", "curl"),
}, async () => {
  assert.equal((JSON.parse(await inShell(curlIn(words))) as { leads: unknown[] }).leads.length, 3);
  const page = await arrived();
  await go(page, "API keys");
  await page.getByRole("textbox", { name: "Name" }).fill("Report");
  await page.getByRole("checkbox", { name: /datasets:read/ }).check();
  await button(page, /Create/).click();
  const line = await page.locator("pre", { hasText: "curl" }).innerText();
  const answer = JSON.parse(await inShell(line)) as { leads: unknown[] };
  assert.equal(answer.leads.length, 5);
  await go(page, "API keys");
  await page.getByRole("rowheader", { name: "Report" }).waitFor();
  await page.getByRole("button", { name: "Revoke Report" }).click();
  await page.getByText("revoked", { exact: false }).first().waitFor();
  assert.equal((JSON.parse(await inShell(line)) as { leads?: unknown }).leads, undefined);
  await page.context().close();
});

test("a new person lets an application in, sees it, revokes it, and its token is refused", async () => {
  let back = "";
  await using place = createServer((request, answer) => {
    back = request.url ?? "";
    answer.setHeader("Content-Type", "text/html").end("<h1>Back</h1>");
  }).listen(0, "127.0.0.1");
  await once(place, "listening");
  const { port } = place.address() as AddressInfo;
  const app = await Application.register(the, {
    client_name: "Deal Mailer",
    redirect_uris: [`http://127.0.0.1:${port}/cb`],
  });
  const page = await arrived();
  await page.goto(the.authUrl + app.address());
  await page.getByRole("radio", { name: "Bank demo" }).check();
  await button(page, "Allow").click();
  await page.getByRole("heading", { name: "Back" }).waitFor();
  const code = new URL(back, the.authUrl).searchParams.get("code") ?? "";
  const granted = { code, verifier: "v".repeat(43), clientId: app.clientId, redirectUri: app.redirectUri };
  const { access_token: token } = (await (await exchange(the, granted)).json()) as { access_token: string };
  const call = () => fetch(`${the.authUrl}/mcp`, { headers: { Authorization: `Bearer ${token}` } });
  assert.equal((await call()).status, 200);

  await page.goto(the.authUrl);
  await page.getByRole("link", { name: "Connected apps" }).first().click();
  await page.getByRole("heading", { name: "Deal Mailer" }).waitFor();
  await page.getByRole("button", { name: /^Revoke/ }).click();
  await page.getByText("You have not connected any applications.").waitFor();
  assert.equal((await call()).status, 401);
  await page.context().close();
});

/** Returns the printed `curl` line, complete. */
function curlIn(text: string): string {
  return /curl [\s\S]*?'\n/.exec(text)?.[0] ?? "";
}
