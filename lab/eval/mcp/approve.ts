import { formOf } from "../../../test/browser.ts";
import type { Person } from "../data/person.ts";
import type { Job } from "./jobs/job.ts";

/** A link of the service to a page where the person approves what waits for it. */
const APPROVAL = /https?:\/\/[^\s"'<>()\\]+\/approv[^\s"'<>()\\]*/g;

/** Approves what a tool result asks the person to approve, in jobs where the person does. */
export async function approvePending(person: Person, job: Job, text: string): Promise<void> {
  if (job.approve !== true) return;
  for (const [link] of text.matchAll(APPROVAL)) {
    const { pathname, search } = new URL(link);
    const form = await formOf(await person.browser.get(pathname + search), "/approvals/").catch(
      () => undefined,
    );
    if (form !== undefined)
      await person.browser.post(form.action, [...Object.entries(form.hidden), ["decision", "approve"]]);
  }
}
