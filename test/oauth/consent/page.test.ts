import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../../browser.ts";
import { realBrowser } from "../../chromium.ts";
import { type World, world } from "../../world.ts";
import { Application } from "../support/application.ts";

const PORTUGUESE = { "Accept-Language": "pt-BR" };

const addLeads = (the: World, projectId: string, count: number) =>
  the.sql(
    "INSERT INTO store.lead (project_id, id, name) SELECT $1, 'lead_' || n, 'Lead' FROM generate_series(1, $2) AS n",
    [projectId, count],
  );

/** Returns the choice of this project on a page, without tags. */
function choiceOf(page: string, projectId: string): string {
  const [, choice = ""] = new RegExp(`value="${projectId}"([\\s\\S]*?)</label>`).exec(page) ?? [];
  return choice
    .replace(/<[^>]*>/g, "")
    .replace(/^[^>]*>/, "")
    .trim();
}

/** Returns the label of this scope on a page. */
const scopeIn = (page: string, scope: string): string =>
  new RegExp(`<label [^>]*><input type="checkbox" name="scope" value="${scope}"[\\s\\S]*?</label>`).exec(
    page,
  )?.[0] ?? "";

test("the consent page carries Leadgate's own mark and name, and the application's name as what it calls itself", async () => {
  await using the = await world();
  const app = await Application.register(the, { client_name: "Leadgate  Security" });
  const browser = await the.signedIn();
  const { page } = await formOf(await browser.get(app.address()));
  assert.match(page, /<p class="brand"><img src="\/assets\/leadgate\.svg"[^>]*>Leadgate<\/p>\s*<h1>/);
  assert.match(page, /<dt>It calls itself<\/dt>\s*<dd class="claim"><bdi>Leadgate {2}Security<\/bdi><\/dd>/);
  assert.equal(page.split("Security").length, 2, "nowhere in our own words");
  assert.ok(page.indexOf("Returns you to") < page.indexOf("It calls itself"), "where it leads comes first");
  const other = await (await browser.get(app.address(), PORTUGUESE)).text();
  assert.match(other, /<dt>Ele se apresenta como<\/dt>/);
});

test("Allow and Deny are in sight without scrolling on a computer and on a phone, with the longest name and many projects", async () => {
  await using the = await world();
  for (const number of [1, 2, 3, 4, 5, 6, 7, 8])
    await the.newProject(the.person, `Project ${number} ${"long ".repeat(30)}`);
  const app = await Application.register(the, {
    client_name: `${"Name ".repeat(20)}${"W".repeat(156)}`,
    client_uri: `https://app.example/${"x".repeat(500)}`,
    redirect_uris: [`https://${"sub.".repeat(40)}app.example/cb`],
  });
  const visitor = await the.signedIn();
  const chromium = await realBrowser();
  try {
    for (const viewport of [
      { width: 1_280, height: 720 },
      { width: 390, height: 740 },
    ]) {
      for (const locale of ["en", "pt-BR"]) {
        for (const path of [app.address(), app.address({ scope: undefined })]) {
          const context = await chromium.newContext({ viewport, locale });
          await context.addCookies(
            [...visitor.cookies].map(([name, value]) => ({ name, value, url: the.authUrl })),
          );
          const page = await context.newPage();
          await page.goto(the.authUrl + path);
          const inSight = `[...document.querySelectorAll(".actions > :is(button, a)")].map((each) => {
            const { left, top, right, bottom } = each.getBoundingClientRect();
            return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight &&
              each.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
          })`;
          const buttons = path.includes("scope=") ? [true, true] : [true];
          assert.deepEqual(await page.evaluate(inSight), buttons, `${locale} ${viewport.width}`);
          await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)");
          assert.deepEqual(await page.evaluate(inSight), buttons, `${locale} ${viewport.width}, at the end`);
          const cut = `[document.documentElement, ...document.querySelectorAll(".claim, .claim bdi")]
            .filter((each) => each.scrollWidth > Math.max(each.clientWidth, each.offsetWidth))
            .map((each) => each.localName)`;
          assert.deepEqual(await page.evaluate(cut), [], "the name wraps, and nothing is cut");
          await context.close();
        }
      }
    }
  } finally {
    await chromium.close();
  }
});

test("reading says that it exports all leads with e-mail and phone, writing that it deletes, in both languages", async () => {
  await using the = await world();
  await addLeads(the, the.project.id, 1_234);
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const english = (await formOf(await browser.get(app.address()))).page;
  assert.match(
    scopeIn(english, "mcp:read"),
    /export all leads<\/b> of the project \(1,234 leads\),\s+with e-mail addresses and phone numbers/,
  );
  assert.match(scopeIn(english, "mcp:write"), /<b>delete<\/b>/);
  const portuguese = await (await browser.get(app.address(), PORTUGUESE)).text();
  assert.match(
    scopeIn(portuguese, "mcp:read"),
    /exportar todos os leads<\/b> do projeto \(1\.234 leads\),\s+com e-mails e telefones/,
  );
  assert.match(scopeIn(portuguese, "mcp:write"), /<b>excluir<\/b>/);
});

test("each project shows how many leads it has: not the deleted and merged ones, and no more than 10,000", async () => {
  await using the = await world();
  const [empty, one, full] = [
    await the.newProject(the.person, "Empty"),
    await the.newProject(the.person, "One"),
    await the.newProject(the.person, "Full"),
  ];
  await addLeads(the, the.project.id, 12);
  await the.sql("UPDATE store.lead SET deleted_at = now() WHERE id IN ('lead_1', 'lead_2')");
  await the.sql("UPDATE store.lead SET merged_into_id = 'lead_12' WHERE id = 'lead_3'");
  await addLeads(the, one.id, 1);
  await addLeads(the, full.id, 10_001);
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const { page } = await formOf(await browser.get(app.address()));
  assert.match(choiceOf(page, the.project.id), / 9 leads$/);
  assert.equal(choiceOf(page, empty.id), "Empty no leads yet");
  assert.equal(choiceOf(page, one.id), "One 1 lead");
  assert.equal(choiceOf(page, full.id), "Full more than 10,000 leads");
  assert.match(scopeIn(page, "mcp:read"), /of the project you choose,/);
  await the.sql("DELETE FROM store.lead WHERE project_id = $1 AND id = 'lead_1'", [full.id]);
  const fewer = (await formOf(await browser.get(app.address(), PORTUGUESE))).page;
  assert.equal(choiceOf(fewer, full.id), "Full 10.000 leads");
});

test("projects of one name are told apart, and so are names that only look the same", async () => {
  await using the = await world();
  const otto = await the.newPerson("Otto Otter");
  const names = ["Sales", "sales", " Sales\u200b ", "Sales Two"];
  const ids: string[] = [];
  for (const name of names) {
    const { id } = await the.newProject(otto, "Sales");
    await the.sql("UPDATE store.project SET name = $2 WHERE project_id = $1", [id, name]);
    await the.join(the.person, id, "editor");
    ids.push(id);
  }
  const app = await Application.register(the);
  const { page } = await formOf(await (await the.signedIn()).get(app.address()));
  const shown = ids.map((id) => choiceOf(page, id));
  for (const [index, id] of ids.slice(0, 3).entries()) {
    assert.match(
      shown[index] ?? "",
      new RegExp(`owner Otto Otter · created on .* 20\\d\\d · ID ending in ${id.slice(-6)}`),
    );
  }
  assert.equal(new Set(shown).size, 4);
  assert.equal(shown[3], "Sales Two no leads yet", "a name of its own needs nothing else");
});

test("writing starts ticked where it is asked for; asked again after it was unticked, it starts unticked and says why", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const browser = await the.signedIn();
  const scopes = async (scope: string, headers = {}) => {
    const page = await (await browser.get(app.address({ scope }), headers)).text();
    return { read: scopeIn(page, "mcp:read"), write: scopeIn(page, "mcp:write") };
  };
  const both = "mcp:read mcp:write";
  const first = await scopes(both);
  assert.match(first.write, /value="mcp:write" checked/);
  assert.match(first.write, /Untick this to give it read-only access/);
  assert.doesNotMatch(first.write, /last time/);

  await app.code(browser, { scopes: ["mcp:read"] });
  const again = await scopes(both);
  assert.doesNotMatch(again.write, /checked/);
  assert.match(again.write, /You did not allow this last time\. The application asks for it again/);
  assert.doesNotMatch(again.write, /Untick/);
  assert.doesNotMatch(again.read, /last time/);
  const portuguese = await scopes(both, PORTUGUESE);
  assert.match(portuguese.write, /Você não permitiu isto da última vez/);
  assert.doesNotMatch(portuguese.write, /Desmarque/);

  await app.code(browser, { scopes: ["mcp:read"] }, { scope: "mcp:read" });
  const step = await scopes(both);
  assert.doesNotMatch(step.write, /checked/, "a request without it does not undo that");
  assert.match(step.write, /last time/);

  await app.code(browser);
  assert.match((await scopes(both)).write, /value="mcp:write" checked/);
  assert.doesNotMatch((await scopes("mcp:write")).write, /Untick/, "without reading, nothing would be left");
});
