import { test } from "node:test";
import type { Page } from "playwright-core";
import { large } from "../../large.ts";
import { companies } from "../support/datasets-seed.ts";
import { checkPage, panelWorld } from "../support/panel.ts";

const records = (page: Page) => page.getByRole("region", { name: "What it changed" });

large("History names rows by their key, shows values as their columns do, and leads to the row", async () => {
  await using the = await panelWorld();
  const { key, id } = await companies(the, 3);
  const rows = [
    { domain: "company-1.example", renewal: "2028-01-15" },
    { domain: "fresh.example", name: "Fresh" },
  ];
  const path = `/api/v1/datasets/${id}/rows/batch`;
  await (await key.send("POST", path, { mode: "upsert", rows })).text();
  const page = await the.open("history");
  await page.getByRole("link", { name: /^Saved 2 rows in .?Companies/ }).click();
  await records(page).getByRole("link", { name: "fresh.example", exact: true }).waitFor();
  await records(page).getByText("Jan 15, 2028").waitFor();
  await checkPage(page, "a change of rows");
  await records(page).getByRole("link", { name: "company-1.example", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Companies" }).waitFor();
  await page.getByText("1 row", { exact: true }).waitFor();
});

test("the title of a change says only that it was a dataset once that is deleted", async () => {
  await using the = await panelWorld();
  const { key, id } = await companies(the, 2);
  const page = await the.open("history");
  await (await key.send("DELETE", `/api/v1/datasets/${id}`)).text();
  await page.reload();
  await page.getByRole("link", { name: "Deleted a dataset", exact: true }).waitFor();
  await page.getByRole("link", { name: "Created a dataset", exact: true }).waitFor();
});
