import assert from "node:assert/strict";
import { type Browser, formOf } from "../../browser.ts";
import type { Authenticator } from "./authenticator.ts";
import { hiddenIn } from "./signing-in.ts";

/** Sends what our script sends, from this browser. */
export const sendJson = (
  browser: Browser,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(new URL(path, browser.origin), {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      Origin: browser.origin,
      Cookie: [...browser.cookies].map(([name, value]) => `${name}=${value}`).join("; "),
      ...headers,
    },
    body: JSON.stringify(body),
  });

const challengeIn = async (answer: Response) => {
  assert.equal(answer.status, 200, `no challenge: ${answer.status}`);
  return ((await answer.json()) as { challenge: string }).challenge;
};

/** Asks for a passkey's challenge in a signed-in browser; returns the call that adds the passkey. */
export async function readyToAdd(
  browser: Browser,
  proof: string,
  key: Authenticator,
  name = "Spare key",
): Promise<() => Promise<Response>> {
  const form_token = hiddenIn(await (await browser.get("/account/passkeys")).text(), "form_token");
  const challenge = await challengeIn(
    await sendJson(browser, "/account/passkeys/options", { form_token, proof }),
  );
  const answer = key.create(challenge, { rpId: "localhost", origin: browser.origin });
  return () => sendJson(browser, "/account/passkeys/add", { form_token, name, answer });
}

/** Asks for a challenge at sign-in; returns the call that signs in with the passkey. */
export async function readyToEnter(browser: Browser, key: Authenticator): Promise<() => Promise<Response>> {
  const { hidden } = await formOf(await browser.get("/sign-in"));
  const challenge = await challengeIn(await sendJson(browser, "/sign-in/passkey/options", hidden));
  const answer = key.get(challenge, { rpId: "localhost", origin: browser.origin });
  return () => sendJson(browser, "/sign-in/passkey", { ...hidden, answer });
}

/** Adds a passkey in a signed-in browser. */
export async function addPasskeyIn(
  browser: Browser,
  { password, key, name }: { password: string; key: Authenticator; name: string },
): Promise<Response> {
  return await (await readyToAdd(browser, password, key, name))();
}
