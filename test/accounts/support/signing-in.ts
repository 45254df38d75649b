import assert from "node:assert/strict";
import { Secret, TOTP } from "otpauth";
import { type Browser, formOf } from "../../browser.ts";
import type { World } from "../../world.ts";

/** Returns the value of a hidden field, anywhere on the page. */
export const hiddenIn = (page: string, name: string): string =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(page)?.[1] ?? "";

/** Tries a password, from a browser at an address (the worlds of these tests trust the loopback proxy). */
export async function attempt(
  browser: Browser,
  tried: { email: string; password: string },
  address?: string,
): Promise<Response> {
  const { hidden } = await formOf(await browser.get("/sign-in"));
  const headers: Record<string, string> = address === undefined ? {} : { "X-Forwarded-For": address };
  return await browser.post("/sign-in", { ...hidden, ...tried }, headers);
}

/** Submits a form of the account's pages. */
export async function act(
  browser: Browser,
  address: string,
  fields: Record<string, string>,
): Promise<Response> {
  const page = await (await browser.get(address)).text();
  return await browser.post(address, { form_token: hiddenIn(page, "form_token"), ...fields });
}

/**
 * Returns an app's code, `ago` time steps (of 30 seconds) before now. Near the end of a step it waits for the
 * next.
 */
export async function codeOf(secret: string, ago = 0): Promise<string> {
  const left = 30_000 - (Date.now() % 30_000);
  if (left < 4_000) await new Promise((resolve) => setTimeout(resolve, left + 10));
  const totp = new TOTP({ algorithm: "SHA1", digits: 6, period: 30, secret: Secret.fromBase32(secret) });
  return totp.generate({ timestamp: Date.now() - ago * 30_000 });
}

/**
 * Sets up an app in a signed-in browser; it confirms with the previous step's code, so that the current one
 * is still unused. Returns the code that it confirmed with, too.
 */
export async function setUpApp(
  browser: Browser,
  password: string,
): Promise<{ secret: string; recovery: string[]; confirmed: string }> {
  const begun = await (await act(browser, "/account/two-factor", { do: "begin", proof: password })).text();
  const secret = /<code>([A-Z2-7 ]{32,})<\/code>/.exec(begun)?.[1]?.replaceAll(" ", "") ?? "";
  const confirmed = await codeOf(secret, 1);
  const done = await browser.post("/account/two-factor", {
    form_token: hiddenIn(begun, "form_token"),
    enrolment: hiddenIn(begun, "enrolment"),
    code: confirmed,
    do: "confirm",
  });
  const page = await done.text();
  assert.equal(done.status, 200, page);
  const recovery = [...page.matchAll(/<li><code>([^<]+)<\/code>/g)].map(([, code = ""]) => code);
  return { secret, recovery, confirmed };
}

/** Sends the code (or a recovery code) of the second step, after a correct password. */
export async function secondStep(
  browser: Browser,
  asked: Response,
  given: { code?: string; recovery?: string },
): Promise<Response> {
  const form = await formOf(asked);
  return await browser.post(form.action, { ...form.hidden, ...given });
}

/**
 * Returns audit entries about a person, oldest first; failures are written after the response, so it waits
 * for `count`.
 */
export async function auditOf(
  the: World,
  personId: string,
  count = 0,
): Promise<Array<{ action: string; data: Record<string, unknown>; address: string | null }>> {
  for (let turn = 0; ; turn += 1) {
    const found = await the.sql<{ action: string; data: Record<string, unknown>; address: string | null }>(
      "SELECT action, data, address FROM audit WHERE person_id = $1 AND action LIKE 'person.%' ORDER BY id",
      [personId],
    );
    if (found.length >= count || turn > 100) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
