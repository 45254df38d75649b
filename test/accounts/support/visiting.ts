import { type Browser, formOf } from "../../browser.ts";

/** Sends a form of a signed-in person with the token from their pages. */
export async function send(
  browser: Browser,
  path: string,
  fields: Record<string, string> = {},
): Promise<Response> {
  const { hidden } = await formOf(await browser.get("/"));
  return await browser.post(path, { form_token: hidden.form_token ?? "", ...fields });
}

/** Returns a page's text without markup, with collapsed white space. */
export const read = async (answer: Response): Promise<string> =>
  (await answer.text())
    .replace(/<[^>]+>/g, " ")
    .replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code)))
    .replace(/\s+/g, " ");

/** Whether this browser is signed in. */
export const isIn = async (browser: Browser): Promise<boolean> => (await browser.get("/")).status === 200;
