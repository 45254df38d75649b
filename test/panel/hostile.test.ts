import assert from "node:assert/strict";
import type { BrowserContext, Page, Request } from "playwright-core";
import { SCREENS } from "../../src/core/panel.ts";
import { large } from "../large.ts";
import { Application } from "../oauth/support/application.ts";
import { HOSTILE } from "./support/hostile-strings.ts";
import { type PanelWorld, panelWorld } from "./support/panel.ts";

const LEADS = 25;
/** Every text field of a lead; 25 leads with these 20 hold the 500 strings. */
const FIELDS =
  "name first_name last_name company job_title website city state country language lifecycle_stage lost_reason source medium campaign utm_source utm_medium landing_page external_id".split(
    " ",
  );
const EVENTS = 20;

/** Returns a function that deals out the strings in turn, so that each place gets different ones. */
function dealt(): (most?: number) => string {
  let at = 0;
  return (most = 10_000) => {
    at += 1;
    return [...(HOSTILE[(at - 1) % HOSTILE.length] ?? "")].slice(0, most).join("");
  };
}

/** Stores the strings wherever the panel shows user input, bypassing the checks of the API. */
async function seed(the: PanelWorld): Promise<{ lead: string; view: string }> {
  const { id: project } = the.project;
  const next = dealt();
  const leads = Array.from({ length: LEADS }, (_, place) => ({
    id: `lead_${String(place).padStart(26, "0")}`,
    ...Object.fromEntries(FIELDS.map((field) => [field, next()])),
  }));
  await the.sql(
    `INSERT INTO store.custom_field (project_id, key, label, type, options, description, position)
     SELECT $1, 'own_' || place, left(text, 200), CASE WHEN place % 2 = 0 THEN 'enum' ELSE 'text' END,
       CASE WHEN place % 2 = 0 THEN ARRAY[left(text, 200), left(text, 199) || '2'] ELSE '{}' END, left(text, 1000), place
     FROM unnest($2::text[]) WITH ORDINALITY AS given (text, place)`,
    [project, HOSTILE.slice(0, 60)],
  );
  const statuses = [
    "new",
    ...new Set(HOSTILE.slice(60, 90).map((text) => [...text].slice(0, 60).join("").trim())),
  ].filter(Boolean);
  await the.sql("UPDATE store.project SET statuses = $1, name = $2", [statuses, HOSTILE[15]]);
  await the.sql("UPDATE person SET name = $1", [
    HOSTILE[0] === undefined ? "" : `${HOSTILE[16]}`.slice(0, 200),
  ]);
  await the.sql(
    `INSERT INTO store.lead (project_id, id, ${FIELDS.join(", ")}, email, phone, tags, status, custom, value, currency, owner_id)
     SELECT $1, id, ${FIELDS.join(", ")}, left(name, 200), left(company, 200), ARRAY[left(name, 200), left(city, 200)],
       ($3::text[])[1 + (row_number() OVER ()) % cardinality($3::text[])],
       jsonb_build_object('own_1', city, 'own_2', left(state, 200), 'own_3', source), 1, left(country, 3), $4
     FROM jsonb_to_recordset($2::jsonb) AS given (id text, ${FIELDS.map((field) => `${field} text`).join(", ")})`,
    [project, JSON.stringify(leads), statuses, the.person.id],
  );
  // Two with one name and company, for the duplicates.
  await the.sql(
    "UPDATE store.lead SET email = $1, name = $1, company = $1 WHERE id IN (SELECT id FROM store.lead ORDER BY id DESC LIMIT 2)",
    [HOSTILE[17]],
  );
  const lead = leads[0]?.id ?? "";
  const events = Array.from({ length: EVENTS * 3 }, (_, place) => ({
    id: `evt_${String(place).padStart(26, "0")}`,
    type: ["note.added", "email.opened", "task.created", "message.received", "lead.updated"][place % 5],
    title: next(500),
    text: next(),
    source: next(100),
  }));
  await the.sql(
    `INSERT INTO store.event (project_id, id, lead_id, type, occurred_at, source, actor, title, data)
     SELECT $1, id, $3, type, now() - interval '1 minute' * row_number() OVER (), source,
       jsonb_build_object('type', 'key', 'id', source, 'label', source), title,
       CASE type WHEN 'lead.updated' THEN jsonb_build_object('changes', jsonb_build_array(jsonb_build_object('field', 'city', 'from', text, 'to', title)))
         ELSE jsonb_build_object('text', text, 'subject', title, 'body', text, 'url', text, 'extra', jsonb_build_object('deep', text)) END
     FROM jsonb_to_recordset($2::jsonb) AS given (id text, type text, title text, text text, source text)`,
    [project, JSON.stringify(events), lead],
  );
  await the.sql(
    `INSERT INTO store.saved_view (project_id, id, name, query, created_by)
     SELECT $1, 'view_' || lpad(place::text, 26, '0'), left(text, 200), $3::jsonb,
       jsonb_build_object('type', 'key', 'id', text, 'label', text)
     FROM unnest($2::text[]) WITH ORDINALITY AS given (text, place)`,
    [
      project,
      HOSTILE.slice(90, 120),
      JSON.stringify({ fields: [...FIELDS, "tags", "custom.own_1", "custom.own_2"] }),
    ],
  );
  const key = await the.key([
    "leads:read",
    "leads:write",
    "datasets:read",
    "datasets:write",
    "datasets:import",
  ]);
  await the.sql("UPDATE store.api_key SET name = $1", [HOSTILE[18]]);
  // changes with the strings as former and new values; a few are refused
  for (const text of HOSTILE.slice(210, 225)) {
    const changed = { city: text, tags: [[...text].slice(0, 200).join("")] };
    await (await key.send("PATCH", `/api/v1/leads/${leads[20]?.id}`, changed)).text();
  }
  await seedDataset(the, next);
  assert.ok((await key.send("POST", "/api/v1/exports", { format: "csv" })).status < 300);
  for (const name of HOSTILE.slice(200, 205))
    await (await Application.register(the, { client_name: name.slice(0, 100) })).tokens(await the.signedIn());
  return { lead, view: "view_00000000000000000000000001" };
}

async function seedDataset(the: PanelWorld, next: (most?: number) => string): Promise<void> {
  const columns = Array.from({ length: 10 }, (_, place) => ({
    slot: `c${place}`,
    key: `col_${place}`,
    label: next(200),
    type: place === 3 ? "enum" : "text",
    required: false,
    unique: false,
    options: place === 3 ? [next(200)] : [],
  }));
  await the.sql(
    `INSERT INTO store.dataset (project_id, id, key, name, columns, lead_link, slots)
     VALUES ($1, 'ds_00000000000000000000000001', 'companies', $2, $3::jsonb, NULL, 10)`,
    [the.project.id, next(200), JSON.stringify(columns)],
  );
  const rows = Array.from({ length: 50 }, (_, place) => ({
    id: `row_${String(place).padStart(26, "0")}`,
    cells: Object.fromEntries(columns.map(({ slot }) => [slot, next(3_000)])),
  }));
  await the.sql(
    `INSERT INTO store.dataset_row (project_id, dataset_id, id, cells)
     SELECT $1, 'ds_00000000000000000000000001', id, cells FROM jsonb_to_recordset($2::jsonb) AS given (id text, cells jsonb)`,
    [the.project.id, JSON.stringify(rows)],
  );
}

/** What a string would have created on a page that treated it as more than text. */
const MADE = `[...document.querySelectorAll(
  "img[src=x], iframe, object, embed, base, marquee, meta[http-equiv], svg script, script:not([src]), link[href*=evil], script[src*=evil], img[src*=evil], form[action*=evil], math, template, video, details[ontoggle]"
)].map((each) => each.outerHTML.slice(0, 200)).concat(
  [...document.querySelectorAll("*")].flatMap((each) => [...each.attributes]
    .filter(({ name, value }) => /^on/i.test(name) || (/^(href|src|action|xlink:href|formaction)$/i.test(name) && /^[\\s\\u0000-\\u001f]*(javascript|data:text|vbscript)/i.test(value)))
    .map(({ name, value }) => name + "=" + value.slice(0, 100))))`;

/** Records anything that a page must not do. */
async function watched(context: BrowserContext, own: string): Promise<string[]> {
  const faults: string[] = [];
  await context.exposeFunction("hit", () => faults.push("executed"));
  await context.addInitScript(`for (const name of ["alert", "confirm", "prompt"]) window[name] = () => hit();
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => console.error("policy: " + violatedDirective + " " + blockedURI));`);
  context.on("page", (page) => {
    page.on("pageerror", (error) => faults.push(`${page.url()}: ${error.message}`));
    page.on(
      "dialog",
      (dialog) => void dialog.dismiss().then(() => faults.push(`dialog: ${dialog.message()}`)),
    );
    page.on("console", (message) => {
      if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
        faults.push(`${page.url()}: ${message.text()}`);
    });
    page.on("request", (request) => {
      if (!request.url().startsWith(own) && !/^(data|blob):/.test(request.url()))
        faults.push(`request: ${request.url()}`);
    });
  });
  return faults;
}

const PATIENCE_MS = 60_000;

/** Placeholders for data that is still loading. */
const WAITING = `.mantine-Skeleton-root, .mantine-Loader-root, [aria-busy="true"], [aria-label="Loading"]`;
/** Whether nothing is loading, one frame later. */
const AT_REST = `new Promise((resolve) => requestAnimationFrame(() =>
  setTimeout(() => resolve(document.querySelector(${JSON.stringify(WAITING)}) === null), 0)))`;

/** Returns the unanswered requests of each page of a context, without the stream of events, which stays open. */
function underWay(context: BrowserContext): WeakMap<Page, Set<Request>> {
  const pages = new WeakMap<Page, Set<Request>>();
  context.on("page", (page) => {
    const open = new Set<Request>();
    pages.set(page, open);
    page.on("request", (request) => {
      if (!request.url().includes("/events/stream")) open.add(request);
    });
    page.on("requestfinished", (request) => open.delete(request));
    page.on("requestfailed", (request) => open.delete(request));
  });
  return pages;
}

/**
 * Waits until the page has no open request and no placeholder, twice in a row: a response may lead to more
 * requests.
 */
async function loaded(page: Page, requests: ReadonlySet<Request>, where: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS;
  for (let times = 0; times < 2; ) {
    const isAtRest = requests.size === 0 && (await page.evaluate<boolean>(AT_REST)) && requests.size === 0;
    times = isAtRest ? times + 1 : 0;
    if (isAtRest) continue;
    assert.ok(
      Date.now() < deadline,
      `${where} still loads: ${[...requests].map((one) => one.url()).join(" ")}`,
    );
    await page.waitForTimeout(20);
  }
}

/** Waits until the text is on the page, or in one of its inputs. */
async function shown(page: Page, text: string, where: string): Promise<void> {
  const wanted = JSON.stringify(text.slice(0, 60));
  const seen = `(document.querySelector("main, body").textContent + [...document.querySelectorAll("input, textarea")].map((each) => each.value).join(" ")).includes(${wanted})`;
  const deadline = Date.now() + PATIENCE_MS;
  while (!(await page.evaluate(seen))) {
    assert.ok(Date.now() < deadline, `${where} does not show ${wanted}`);
    await page.waitForTimeout(50);
  }
}

large(
  "500 hostile strings in every field that can be shown are text on every screen, and nothing of them runs",
  async () => {
    assert.equal(HOSTILE.length, 500);
    await using the = await panelWorld({ alone: true });
    const { lead, view } = await seed(the);
    const { cookies } = await the.signedIn();
    const context = await the.chromium.newContext({
      viewport: { width: 2_400, height: 1_400 },
      reducedMotion: "reduce",
      locale: "en",
    });
    const faults = await watched(context, the.authUrl);
    const requests = underWay(context);
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url: the.authUrl })));
    let page = await context.newPage();
    const at = `/projects/${the.project.id}`;
    const look = async (where: string, texts: readonly (string | undefined)[] = []) => {
      await loaded(page, requests.get(page) ?? new Set(), where);
      for (const text of texts) await shown(page, text ?? "", where);
      assert.deepEqual(await page.evaluate(MADE), [], where);
      assert.deepEqual(faults, [], where);
    };
    const seen = new Set<string>();
    const go = async (path: string, texts: readonly (string | undefined)[] = []) => {
      seen.add(path);
      const answer = await page.goto(the.authUrl + path);
      assert.equal(answer?.status(), 200, path);
      const heading = page.locator("h1").first().waitFor({ timeout: PATIENCE_MS });
      const instead = () => page.evaluate<string>("document.body.innerText.slice(0, 300)");
      await heading.catch(async () =>
        assert.fail(`${path}: no heading, but ${await instead()} (${faults.join("; ")})`),
      );
      await look(path, texts);
    };
    try {
      await go(`${at}/leads?view=${view}`, [HOSTILE[0], HOSTILE[20], HOSTILE[90]]);
      await page.getByRole("button", { name: "Columns" }).click();
      await look("the menu of columns", [HOSTILE[1]]);
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Filter", exact: true }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Condition", exact: true }).click();
      await page.getByRole("dialog").getByRole("combobox", { name: "Field" }).click();
      await look("the filter");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await look("the palette");
      await page.close();
      page = await context.newPage();
      const short = HOSTILE.filter(({ length }) => length < 60);
      for (const some of [short.slice(0, 12), short.slice(12, 24), short.slice(24, 36)]) {
        const filter = { and: some.map((value) => ({ field: "company", op: "neq", value })) };
        await go(`${at}/leads?filter=${encodeURIComponent(JSON.stringify(filter))}`);
      }
      await go(`${at}/leads?q=${encodeURIComponent(HOSTILE[3] ?? "")}`);
      await go(`${at}/board`, [HOSTILE[60]]);
      await go(`${at}/dashboard`);
      await go(`${at}/leads/${lead}`, [HOSTILE[0], HOSTILE[5]]);
      for (let turn = 0; turn < 3; turn += 1) {
        await page.mouse.wheel(0, 20_000);
        await look("a timeline");
      }
      for (const place of [1, 7, 13, 19]) await go(`${at}/leads/lead_${String(place).padStart(26, "0")}`);
      await go(`${at}/duplicates`, [HOSTILE[17]]);
      await page
        .getByRole("button", { name: /Compare and merge/ })
        .first()
        .click();
      await look("comparing");
      await go(`${at}/history`);
      await page
        .getByRole("link", { name: /^Set .?City/ })
        .first()
        .click();
      await page.getByRole("region", { name: "What it changed" }).waitFor();
      await look("a change");
      await page.getByRole("button", { name: /^Undo/ }).click();
      await look("what an undo would do");
      await go(`${at}/exports`);
      await go(`${at}/datasets`);
      await go(`${at}/datasets/companies`);
      for (const screen of SCREENS.filter((each) => !each.includes(":") && !seen.has(`${at}/${each}`)))
        await go(`${at}/${screen}`);
      for (const path of [
        "",
        "/settings",
        "/settings/overview",
        "/settings/api-keys",
        "/settings/applications",
        "/settings/members",
        "/settings/log",
      ])
        await go(at + path);
      for (const path of ["/", "/account", "/connected-apps"]) await go(path);

      const cell = (text: string | undefined) =>
        `"${(text ?? "").slice(0, 300).replaceAll('"', '""').replaceAll("\0", "")}"`;
      const columns = 10;
      const header = ["email", ...HOSTILE.slice(300, 300 + columns)].map(cell).join(",");
      const rows = Array.from({ length: 50 }, (_, row) =>
        ["nobody", ...HOSTILE.slice(row * columns, row * columns + columns)].map(cell).join(","),
      );
      await go(`${at}/imports/new`);
      await page.locator('input[type="file"]').setInputFiles({
        name: `"><img src=x onerror=hit()> \u202e{{hit()}}.csv`,
        mimeType: "text/csv",
        buffer: Buffer.from([header, ...rows].join("\r\n")),
      });
      await page.getByRole("button", { name: "Continue to columns" }).click();
      await page.getByText(/columns are imported/).waitFor();
      await look("an import's columns", [HOSTILE[301]]);
      await page.getByRole("button", { name: "Check file" }).click();
      await page.getByText("Here is what the import will do.").waitFor();
      await look("an import's check");
      await go(`${at}/imports`, ['"><img src=x onerror=hit()>']);
    } finally {
      await context.close();
    }
  },
);
