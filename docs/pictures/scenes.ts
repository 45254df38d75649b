import type { Page } from "playwright-core";
import { sheetFile } from "./sheet-file.ts";

/** The seeded data that the pictures show. */
export interface Stage {
  project: string;
  lead: string;
  /** The URL of an authorization request. */
  consent: string;
}

/** A picture: its file name, title and URL, and what to do on the page first. */
export interface Scene {
  name: string;
  title: string;
  /** The panel's screen, as in src/core/panel.ts; scenes of screens that do not exist are skipped. */
  screen?: string;
  /** The path within the project, or a page's path. */
  at?: (stage: Stage) => string;
  look?: "dark";
  phone?: true;
  /** Taken without signing in. */
  anonymous?: true;
  act?(page: Page): Promise<unknown>;
}

const ago = { and: [{ field: "created_at", op: "in_last", value: { n: 30, unit: "day" } }] };
const withFilter = `leads?filter=${encodeURIComponent(JSON.stringify(ago))}`;
const inProject =
  (path: string) =>
  ({ project }: Stage) =>
    `/projects/${project}${path}`;
const wait = (page: Page, text: string | RegExp) => page.getByText(text).first().waitFor();
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name }).first().click();

/** Uploads the file with errors and goes on to the columns, or further to the check. */
async function uploaded(page: Page, to: "columns" | "check"): Promise<void> {
  await page.locator('input[type="file"]').setInputFiles(sheetFile());
  await wait(page, "Continue to columns");
  await button(page, "Continue to columns");
  await wait(page, /columns are imported/);
  if (to === "columns") return;
  await button(page, "Check file");
  await wait(page, "Here is what the import will do.");
}

const openFilter = async (page: Page) => {
  await button(page, /^Filter/);
  await wait(page, /matching leads/);
};

async function openedChange(page: Page, title: RegExp): Promise<void> {
  await page.getByRole("link", { name: title }).first().click();
  await page.getByRole("heading", { name: "What it changed" }).waitFor();
}

async function askedOfMany(page: Page): Promise<void> {
  for (const at of [2, 4, 5]) await page.getByRole("checkbox").nth(at).click();
  const bar = page.getByRole("region", { name: "Change selected leads" });
  await bar.getByRole("button", { name: "Status" }).click();
  await page.getByRole("dialog").getByLabel("New status").click();
  await page.getByRole("option", { name: "won" }).click();
}

export const SCENES: readonly Scene[] = [
  { name: "dashboard", title: "Dashboard", screen: "dashboard" },
  { name: "leads", title: "Leads", screen: "leads" },
  { name: "filter", title: "Filter", screen: "leads", at: () => withFilter, act: openFilter },
  { name: "bulk", title: "Change several leads", screen: "leads", act: askedOfMany },
  { name: "board", title: "Board by status", screen: "board" },
  { name: "lead", title: "A lead", screen: "leads/:lead", at: ({ lead }) => `leads/${lead}` },
  {
    name: "duplicates",
    title: "Duplicates",
    screen: "duplicates",
    async act(page) {
      await button(page, "Compare and merge");
      await page.getByRole("dialog").waitFor();
    },
  },
  { name: "history", title: "History", screen: "history" },
  {
    name: "change",
    title: "A change",
    screen: "history/:change",
    at: () => "history",
    act: (page) => openedChange(page, /^Set .* leads$/),
  },
  {
    name: "undo",
    title: "What an undo would do",
    screen: "history/:change",
    at: () => "history",
    async act(page) {
      await openedChange(page, /^Set .* leads$/);
      await button(page, /^Undo/);
      await page
        .getByRole("dialog")
        .getByText(/former/)
        .first()
        .waitFor();
    },
  },
  {
    name: "import-columns",
    title: "Import: columns",
    screen: "imports",
    at: () => "imports/new",
    act: (page) => uploaded(page, "columns"),
  },
  {
    name: "import-check",
    title: "Import: check and fix",
    screen: "imports",
    at: () => "imports/new",
    act: (page) => uploaded(page, "check"),
  },
  {
    name: "import-report",
    title: "Import: report",
    screen: "imports",
    at: () => "imports/new",
    async act(page) {
      await uploaded(page, "check");
      await button(page, /^Import \d+ rows/);
      await page.getByRole("heading", { name: "Files" }).waitFor();
    },
  },
  { name: "imports", title: "Imports", screen: "imports" },
  { name: "exports", title: "Exports", screen: "exports" },
  { name: "datasets", title: "Datasets", screen: "datasets" },
  { name: "dataset", title: "A dataset", screen: "datasets/:dataset", at: () => "datasets/companies" },
  { name: "fields", title: "Fields", screen: "settings/fields" },
  { name: "statuses", title: "Statuses", screen: "settings/statuses" },
  { name: "usage", title: "Limits and usage", screen: "settings/usage" },
  {
    name: "palette",
    title: "Command palette",
    screen: "board",
    act: (page) => page.keyboard.press("Control+k"),
  },
  { name: "sign-in", title: "Sign in", at: () => "/sign-in", anonymous: true },
  { name: "projects", title: "Your projects", at: () => "/" },
  {
    name: "api-keys",
    title: "API keys, one shown once",
    at: inProject("/settings/api-keys"),
    async act(page) {
      await page.getByRole("textbox").last().fill("Newsletter sync");
      await page.locator("button.primary").click();
      await page.locator("#new-key").waitFor();
    },
  },
  { name: "members", title: "Members", at: inProject("/settings/members") },
  { name: "log", title: "Log", at: inProject("/settings/log") },
  { name: "project", title: "Project settings", at: inProject("/settings") },
  { name: "consent", title: "An application asks for access", at: ({ consent }) => consent },
  { name: "connected-apps", title: "Connected apps", at: () => "/connected-apps" },
  { name: "account", title: "Account and security", at: () => "/account" },
  { name: "passkeys", title: "Passkeys", at: () => "/account/passkeys" },
  { name: "two-factor", title: "Second factor", at: () => "/account/two-factor" },
  { name: "dashboard-dark", title: "Dashboard, dark", screen: "dashboard", look: "dark" },
  { name: "leads-dark", title: "Leads, dark", screen: "leads", look: "dark" },
  {
    name: "lead-dark",
    title: "A lead, dark",
    screen: "leads/:lead",
    at: ({ lead }) => `leads/${lead}`,
    look: "dark",
  },
  { name: "consent-dark", title: "Consent, dark", at: ({ consent }) => consent, look: "dark" },
  { name: "dashboard-phone", title: "Dashboard", screen: "dashboard", phone: true },
  { name: "leads-phone", title: "Leads", screen: "leads", phone: true },
  {
    name: "lead-phone",
    title: "A lead",
    screen: "leads/:lead",
    at: ({ lead }) => `leads/${lead}`,
    phone: true,
  },
  { name: "history-phone", title: "History", screen: "history", phone: true },
  {
    name: "change-phone",
    title: "A change",
    screen: "history/:change",
    at: () => "history",
    phone: true,
    act: (page) => openedChange(page, /^Set .* leads$/),
  },
  { name: "fields-phone", title: "Fields", screen: "settings/fields", phone: true },
];
