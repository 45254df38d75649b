import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { large } from "../../large.ts";
import { companies } from "../support/datasets-seed.ts";
import { checkPage, dialogHasFocus, panelWorld } from "../support/panel.ts";

const barOf = (page: Page) => page.getByRole("region", { name: "Unsaved changes" });
const columnsOf = (page: Page) => page.getByRole("list", { name: "Columns in order" });
const nameOf = (page: Page) => page.getByRole("textbox", { name: "Name", exact: true });
const save = (page: Page) => barOf(page).getByRole("button", { name: "Save changes" });

large(
  "what is typed about a dataset's columns survives a failed save, a reload and the end of the session, and leaving asks",
  async () => {
    await using the = await panelWorld();
    const { id } = await companies(the, 1);
    const page = await the.open(`datasets/${id}?tab=columns`);
    await nameOf(page).fill("Customers");
    await columnsOf(page).getByRole("button", { name: "Move up: Domain" }).click();
    const dataset = (url: URL) => url.pathname.endsWith(`/v1/datasets/${id}`);
    await page.route(dataset, (route) =>
      route.request().method() === "PATCH" ? route.abort("connectionrefused") : route.continue(),
    );
    await save(page).click();
    await page.getByRole("alert").getByText("Cannot reach the service.").waitFor();
    await page.unroute(dataset);
    assert.equal(await nameOf(page).inputValue(), "Customers");

    await page.reload();
    await barOf(page).waitFor();
    assert.equal(await nameOf(page).inputValue(), "Customers");
    await columnsOf(page).getByRole("button", { name: "Edit: Seats" }).click();
    const dialog = page.getByRole("dialog", { name: "Edit: Seats" });
    await dialog.getByLabel("Label").fill("Headcount");

    await page.reload();
    await dialog.waitFor();
    assert.equal(await dialog.getByLabel("Label").inputValue(), "Headcount");
    await dialog.getByRole("button", { name: "Done" }).click();
    await the.sql("DELETE FROM session WHERE person_id = $1", [the.person.id]);
    // not by the mouse: the panel may have asked to sign in before
    await save(page).dispatchEvent("click");
    await page.getByRole("dialog", { name: "You are signed out" }).waitFor();
    await page.getByRole("link", { name: "Sign in" }).click();
    await page.getByLabel(/e-mail/i).fill(the.person.email);
    await page.getByLabel(/^password/i).fill(the.person.password);
    await page.keyboard.press("Enter");
    await page.waitForURL(`**/datasets/${id}?tab=columns`);
    await barOf(page).waitFor();
    assert.equal(await nameOf(page).inputValue(), "Customers");

    const question = page.getByRole("dialog", { name: "Leave without saving?" });
    await page.getByRole("tab", { name: "Rows" }).click();
    await page.getByRole("link", { name: "Dashboard" }).click();
    await question.getByRole("button", { name: "Cancel" }).click();
    await question.waitFor({ state: "detached" });
    await page.getByRole("tab", { name: "Columns" }).click();
    await save(page).click();
    await barOf(page).waitFor({ state: "detached" });
    const [stored] = await the.sql<{ name: string; labels: string[] }>(
      "SELECT name, ARRAY(SELECT c ->> 'label' FROM jsonb_array_elements(columns) c) AS labels FROM store.dataset WHERE project_id = $1",
      [the.project.id],
    );
    assert.equal(stored?.name, "Customers");
    assert.deepEqual(stored?.labels.slice(0, 5), ["Domain", "Company", "Contact", "Phone", "Headcount"]);
    await page.reload();
    await columnsOf(page).getByText("Headcount", { exact: true }).waitFor();
    assert.equal(await barOf(page).count(), 0);
  },
);

large(
  "a colleague's change of a dataset joins what is typed there; what both changed is named before it is saved",
  async () => {
    await using the = await panelWorld();
    const { key, id } = await companies(the, 1);
    const page = await the.open(`datasets/${id}?tab=columns`);
    const read = async () =>
      (await (await key.send("GET", `/api/v1/datasets/${id}`)).json()) as {
        name: string;
        columns: { key: string; label: string }[];
      };
    const patch = async (body: object) =>
      assert.equal((await key.send("PATCH", `/api/v1/datasets/${id}`, body)).status, 200);
    const notice = page.getByRole("alert").filter({ hasText: "Someone else changed this dataset" });

    await columnsOf(page).getByRole("button", { name: "Edit: Seats" }).click();
    await page.getByRole("dialog").getByLabel("Label").fill("Headcount");
    await page.getByRole("dialog").getByRole("button", { name: "Done" }).click();
    const { columns } = await read();
    const theirs = columns.map((column) => {
      if (column.key === "seats") return { ...column, label: "Licences" };
      return column.key === "phone" ? { ...column, label: "Mobile" } : column;
    });
    await patch({
      name: "Clients",
      columns: [...theirs, { key: "notes", label: "Notes", type: "text" }],
    });
    await save(page).click();
    await notice.getByText("Seats", { exact: true }).waitFor();
    assert.deepEqual(await notice.getByRole("listitem").allInnerTexts(), ["Seats"]);
    await columnsOf(page).getByText("Headcount", { exact: true }).waitFor();
    await columnsOf(page).getByText("Mobile", { exact: true }).waitFor();
    await columnsOf(page).getByText("Notes", { exact: true }).waitFor();
    assert.equal(await nameOf(page).inputValue(), "Clients");
    assert.equal((await read()).columns.find((column) => column.key === "seats")?.label, "Licences");
    await checkPage(page, "a colleague's change of the columns");
    // the notice is still there after a reload
    await page.reload();
    await notice.getByText("Seats", { exact: true }).waitFor();
    await save(page).click();
    await barOf(page).waitFor({ state: "detached" });
    assert.equal(await notice.count(), 0);
    const after = await read();
    assert.deepEqual(
      after.columns.flatMap(({ key: of, label }) => (["seats", "phone", "notes"].includes(of) ? label : [])),
      ["Mobile", "Headcount", "Notes"],
    );
    assert.equal(after.name, "Clients");
  },
);

large(
  "a row's text is shown again after a reload although its row is not among the first of the list",
  async () => {
    await using the = await panelWorld();
    const { id } = await companies(the, 130);
    const page = await the.open(`datasets/${id}?q=company-0.example`);
    await page.getByRole("button", { name: "Open row: company-0.example" }).click();
    const dialog = page.getByRole("dialog");
    await dialogHasFocus(page);
    await dialog.getByLabel("Company").fill("Mine");
    page.once("dialog", (question) => void question.accept());
    await page.goto(`${the.authUrl}/projects/${the.project.id}/datasets/${id}`);
    await dialog.waitFor();
    assert.equal(await dialog.getByLabel("Company").inputValue(), "Mine");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(
      (
        await the.sql("SELECT FROM store.dataset_row WHERE project_id = $1 AND cells::text LIKE '%Mine%'", [
          the.project.id,
        ])
      ).length,
      1,
    );
  },
);
