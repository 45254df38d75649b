import assert from "node:assert/strict";
import { offerReset } from "../../../src/domain/accounts/reset-link.ts";
import { type Browser, formOf } from "../../browser.ts";
import type { World } from "../../world.ts";
import { send } from "./visiting.ts";

export const membersOf = ({ project }: World) => `/projects/${project.id}/settings/members`;

/** Invites an address and returns the page that answers, and the path of the link if the page shows it. */
export async function invite(
  the: World,
  browser: Browser,
  email: string,
  role = "editor",
): Promise<{ page: string; link: string }> {
  const answer = await send(browser, `${membersOf(the)}/invite`, { email, role });
  const page = await answer.text();
  assert.equal(answer.status, 200, page);
  const link = /<code id="new-link">([^<]+)</.exec(page)?.[1];
  return { page, link: link === undefined ? "" : new URL(link).pathname };
}

/** Creates an account through an invitation's link. */
export async function join(
  browser: Browser,
  link: string,
  password: string,
  name = "New Person",
): Promise<Response> {
  const form = await formOf(await browser.get(link));
  return await browser.post(link, { ...form.hidden, name, password });
}

/** Returns the path of the link that `leadgate person reset-password` prints. */
export async function resetLinkFor(the: World, email: string): Promise<string> {
  const [person] = await the.sql<{ id: string }>("SELECT id FROM person WHERE lower(email) = lower($1)", [
    email,
  ]);
  const link = await offerReset(the.service, the.service.db, { personId: person?.id ?? "", pause: 0 });
  return new URL(link ?? "about:blank").pathname;
}

/** Whether an account's address is verified; undefined without an account. */
export async function isVerified(the: World, email: string): Promise<boolean | undefined> {
  const [person] = await the.sql<{ verified: boolean }>(
    "SELECT verified_at IS NOT NULL AS verified FROM person WHERE lower(email) = lower($1)",
    [email],
  );
  return person?.verified;
}
