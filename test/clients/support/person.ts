import { type Browser, formOf } from "../../browser.ts";
import type { Ask } from "./connection.ts";

/**
 * Returns a person at the authorization screen who selects the first project and all scopes, or only some.
 */
export function deciding(
  browser: Browser,
  decision: "approve" | "deny" = "approve",
  only?: readonly string[],
): Ask {
  return async (address) => {
    const { action, hidden, page } = await formOf(await browser.get(address.pathname + address.search));
    const project = /name="project_id"[^>]*?value="([^"]+)"/.exec(page)?.[1] ?? "";
    const scopes = [...page.matchAll(/name="scope"[^>]*?value="([^"]+)"/g)]
      .map(([, scope = ""]) => scope)
      .filter((scope) => only?.includes(scope) ?? true);
    const answer = await browser.post(action, [
      ...Object.entries(hidden),
      ["project_id", project],
      ...scopes.map((scope): [string, string] => ["scope", scope]),
      ["decision", decision],
    ]);
    const back = answer.headers.get("location");
    if (back === null) throw new Error(`the person was not sent back: ${answer.status}`);
    return new URL(back);
  };
}

/** Revokes all access on the page of the person's connected apps. */
export async function takeAllBack(browser: Browser): Promise<void> {
  const page = await (await browser.get("/connected-apps")).text();
  const forms = page.matchAll(
    /<form method="post" action="(\/connected-apps\/revoke)"[^>]*>([\s\S]*?)<\/form>/g,
  );
  for (const [, action = "", inside = ""] of forms) {
    const fields = [...inside.matchAll(/name="([^"]+)" value="([^"]+)"/g)];
    const pairs = fields.map(([, name = "", value = ""]): [string, string] => [name, value]);
    await browser.post(action, pairs);
  }
}
