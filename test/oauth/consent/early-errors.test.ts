import assert from "node:assert/strict";
import { test } from "node:test";
import { formOf } from "../../browser.ts";
import { realBrowser } from "../../chromium.ts";
import { type World, world } from "../../world.ts";
import { Application, exchange, REDIRECT } from "../support/application.ts";

const PORTUGUESE = { "Accept-Language": "pt-BR" };

/** Returns the link of an error page, and the rest of its tag. */
function linkIn(page: string): { to: URL; tag: string } {
  const [tag = "", href = ""] = /<a class="button"[^>]* href="([^"]*)"[^>]*>/.exec(page) ?? [];
  assert.notEqual(tag, "", page);
  return {
    to: new URL(href.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))),
    tag,
  };
}

/** Rewrites what an application registered, as it could have been registered before a rule came. */
const registeredEarlier = (the: World, { clientId }: Application, metadata: object) =>
  the.sql("UPDATE client SET metadata = metadata || $2 WHERE id = $1", [clientId, JSON.stringify(metadata)]);

test("an error found before the person was asked is shown on our page, and leads to the application only by a click", async () => {
  await using the = await world();
  const app = await Application.register(the, { client_name: "<Mailer>" });
  const browser = await the.signedIn();
  const cases: Array<[Parameters<Application["address"]>[0], string, RegExp, RegExp]> = [
    [{ scope: undefined }, "invalid_request", /incomplete or malformed/, /incompleto ou malformado/],
    [{ scope: "openid" }, "invalid_scope", /no kind of access/, /nenhum tipo de acesso/],
    [{ response_type: "token" }, "unsupported_response_type", /not offered here/, /não é oferecida aqui/],
    [{ resource: "https://else.example/mcp" }, "invalid_target", /another service/, /outro serviço/],
  ];
  for (const [parameters, error, english, portuguese] of cases) {
    const answer = await browser.get(app.address(parameters));
    assert.equal(answer.status, 400, error);
    assert.equal(answer.headers.get("location"), null);
    assert.equal(answer.headers.get("refresh"), null);
    assert.equal(answer.headers.get("cache-control"), "no-store");
    assert.equal(answer.headers.get("referrer-policy"), "same-origin");
    const page = await answer.text();
    assert.match(page, english);
    assert.match(page, new RegExp(`lang="en">${error}: `), "developers read the description");
    assert.match(page, /calls itself<\/dt>\s*<dd class="claim"><bdi>&#60;Mailer&#62;<\/bdi>/);
    assert.match(page, /<strong class="place"><bdi>app\.example<\/bdi>/);
    const { to, tag } = linkIn(page);
    assert.match(tag, /rel="noopener noreferrer nofollow"/);
    assert.equal(to.origin + to.pathname, REDIRECT);
    assert.equal(to.searchParams.get("error"), error);
    assert.ok(to.searchParams.get("error_description"));
    assert.equal(to.searchParams.get("state"), "st4te");
    assert.equal(to.searchParams.get("iss"), the.authUrl);
    const translated = await (await browser.get(app.address(parameters), PORTUGUESE)).text();
    assert.match(translated, portuguese);
    assert.match(translated, /se apresenta como/);
  }
});

test("the link of an error leads to private-use schemes and to loopback addresses as well", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  for (const [uri, place] of [
    ["cursor://anysphere.cursor-mcp/oauth/callback", "cursor://anysphere.cursor-mcp"],
    ["com.example.app:/cb", "com.example.app:"],
    ["http://127.0.0.1:4711/cb?x=1", "127.0.0.1:4711"],
  ] as const) {
    const app = await Application.register(the, { redirect_uris: [uri] });
    const page = await (await browser.get(app.address({ scope: "" }))).text();
    assert.ok(page.includes(`<strong class="place"><bdi>${place}</bdi>`), page);
    const { to } = linkIn(page);
    assert.ok(to.href.startsWith(uri), to.href);
    assert.equal(to.searchParams.get("error"), "invalid_request");
  }
});

test("who approved an application before is redirected at once; a refusal, a new project and others' approvals count for nothing", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const [browser, other] = [await the.signedIn(), await the.signedIn(await the.newPerson("Otto"))];
  const faulty = app.address({ scope: undefined });
  const statusFor = async (visitor: typeof browser) => (await visitor.get(faulty)).status;

  const denied = await app.decide(browser, { decision: "deny" });
  assert.equal(denied.status, 303, "a refusal is returned at once");
  assert.match(denied.headers.get("location") ?? "", /error=access_denied/);
  const nothing = await app.decide(browser, { scopes: [] });
  assert.equal(nothing.status, 303, "and so is an approval of nothing");
  const page = await (await browser.get(app.address())).text();
  const form = /action="\/oauth\/new-project"[^>]*>([\s\S]*?)<\/form>/.exec(page)?.[1] ?? "";
  const hidden = [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = "", value = ""]): [string, string] => [name, value],
  );
  const created = await browser.post("/oauth/new-project", [...hidden, ["project_name", "Second"]]);
  assert.equal(created.status, 303);
  assert.equal((await the.sql("SELECT FROM consent_choice WHERE person_id = $1", [the.person.id])).length, 1);
  assert.equal(await statusFor(browser), 400);

  await app.code(browser);
  const back = await browser.get(faulty);
  assert.equal(back.status, 303);
  assert.match(back.headers.get("location") ?? "", /^https:\/\/app\.example\/cb\?error=invalid_request&/);
  assert.equal(await statusFor(other), 400);
});

test("in a real browser, a request of an unknown application stays with us until the link is clicked, which tells nobody where it was", async () => {
  await using the = await world();
  const app = await Application.register(the);
  const visitor = await the.signedIn();
  const chromium = await realBrowser();
  try {
    const context = await chromium.newContext();
    await context.addCookies(
      [...visitor.cookies].map(([name, value]) => ({ name, value, url: the.authUrl })),
    );
    const page = await context.newPage();
    const referrers: (string | undefined)[] = [];
    await page.route("https://app.example/**", async (route) => {
      referrers.push((await route.request().allHeaders()).referer);
      await route.fulfill({ contentType: "text/html", body: "<h1>Back</h1>" });
    });
    // the attack needs nothing but the two parameters
    await page.goto(
      `${the.authUrl}/oauth/authorize?${new URLSearchParams({ client_id: app.clientId, redirect_uri: REDIRECT })}`,
    );
    await page.waitForLoadState("networkidle");
    assert.equal(new URL(page.url()).origin, the.authUrl);
    assert.deepEqual(referrers, []);
    await page.getByRole("link", { name: "Continue to app.example" }).click();
    await page.getByRole("heading", { name: "Back" }).waitFor();
    assert.deepEqual(referrers, [undefined]);
  } finally {
    await chromium.close();
  }
});

test("applications that registered a scheme before it was refused work as before", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  for (const uri of ["myapp://cb", "ms-msdt:/id", "mailto:a@b.example"]) {
    const app = await Application.register(the);
    await registeredEarlier(the, app, { redirect_uris: [uri] });
    const asking = new Application(the, app.clientId, uri);
    const page = await (await browser.get(asking.address({ scope: "" }))).text();
    assert.equal(linkIn(page).to.protocol, new URL(uri).protocol);
    const granted = await asking.decide(browser);
    assert.ok(granted.headers.get("location")?.startsWith(`${uri}?code=`), uri);
    const verifier = "v".repeat(43);
    const code = new URL(granted.headers.get("location") ?? "").searchParams.get("code") ?? "";
    const tokens = await exchange(the, { code, verifier, clientId: app.clientId, redirectUri: uri });
    assert.equal(tokens.status, 200);
  }
});

test("what is wrong with an application that was registered before a rule came is shown harmlessly", async () => {
  await using the = await world();
  const browser = await the.signedIn();
  const app = await Application.register(the);
  await registeredEarlier(the, app, {
    client_name: "\u3164\u200b",
    client_uri: "https://bank.example@evil.example/path",
    logo_uri: "https://bank.example@evil.example/logo.png",
  });
  const { page } = await formOf(await browser.get(app.address()));
  assert.doesNotMatch(page, /bank\.example/);
  assert.doesNotMatch(page, /<img class="logo"|href="https:\/\/[^"]*evil/);
  assert.equal(page.match(/<bdi>evil\.example<\/bdi>/g)?.length, 2);
  assert.match(page, /a name without visible characters/);
});
