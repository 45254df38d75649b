import { filled } from "../../api/support/two-projects.ts";
import { bodyOf } from "../../api/support/v1.ts";
import type { Browser } from "../../browser.ts";
import type { World } from "../../world.ts";
import type { Ground } from "./every-use.ts";

/**
 * Creates a project with one of everything, and a browser in which its owner, who has no other project, is
 * signed in.
 */
export async function ground(the: World): Promise<Ground & { browser: Browser; mark: string }> {
  const { ids, key, mark } = await filled(the, "alder");
  const owner = await the.newPerson("Ada Moreira");
  await the.join(owner, ids.project, "owner");
  const versionOf = async (id: string) =>
    (await bodyOf<{ version: number }>(await key.send("GET", `/api/v1/leads/${id}`))).version;
  const versions = { lead: await versionOf(ids.lead), other: await versionOf(ids.other) };
  return { ids, versions, mark, browser: await the.signedIn(owner) };
}
