import type { Browser } from "../../browser.ts";
import type { Authenticator } from "./authenticator.ts";
import { hiddenIn } from "./signing-in.ts";

/** Sends what our script sends, from this browser. */
export const sendJson = (browser: Browser, path: string, body: object): Promise<Response> =>
  fetch(new URL(path, browser.origin), {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Origin: browser.origin,
      Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
    },
    body: JSON.stringify(body),
  });

/** Adds a passkey in a signed-in browser. */
export async function addPasskeyIn(
  browser: Browser,
  made: { password: string; key: Authenticator; name: string },
): Promise<Response> {
  const { password, key, name } = made;
  const page = await (await browser.get("/account/passkeys")).text();
  const form_token = hiddenIn(page, "form_token");
  const options = await sendJson(browser, "/account/passkeys/options", { form_token, proof: password });
  const { challenge } = (await options.json()) as { challenge: string };
  const answer = key.create(challenge, { rpId: "localhost", origin: browser.origin });
  return await sendJson(browser, "/account/passkeys/add", { form_token, name, answer });
}
