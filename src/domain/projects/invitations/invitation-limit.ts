import { domainToASCII } from "node:url";
import { Refusal } from "../../../core/refusal.ts";
import { macOf } from "../../../core/secret.ts";
import { waitIn } from "../../../core/wait-words.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type RecentLimit, takeRecent } from "../../operation/limits/recent-hits.ts";
import type { Service } from "../../operation/service/service.ts";

const HOUR = 3_600;
const DAY = 24 * HOUR;

/**
 * Counts an invitation against the limits of the inviting person, the project and the recipient in all projects; refuses
 * (`too_many_invitations`) and counts nothing if one is reached. It counts with or without SMTP.
 */
export async function countInvitation(
  service: Service,
  tx: Transaction,
  { personId, projectId, email }: { personId: string; projectId: string; email: string },
): Promise<void> {
  const { perHour, projectPerHour, recipientPerDay } = service.config.invitations;
  // every instance knows the oldest key, also while a newer one is introduced
  const recipient = macOf(service.config.secretKeys.at(-1) ?? "", "invited", mailboxOf(email));
  const limits = [
    { bucket: `invitations by ${personId}`, most: perHour, seconds: HOUR },
    { bucket: `invitations to ${projectId}`, most: projectPerHour, seconds: HOUR },
    { bucket: `invitations of ${recipient}`, most: recipientPerDay, seconds: DAY },
  ].filter((limit): limit is RecentLimit => limit.most !== null);
  const wait = await takeRecent(tx, limits);
  if (wait === undefined) return;
  // one message for all three: it does not say whether others invited this address
  throw new Refusal(
    "too_many",
    "too_many_invitations",
    `There were too many invitations by you, in this project, or to this address. Try again ${waitIn("en", wait)}.`,
    { retryAfter: wait },
  );
}

/**
 * One name for the spellings of an address that reach the same mailbox: case, quotes, `+tag`, forms of the domain, and
 * what mail servers skip after it, such as a comment.
 */
export function mailboxOf(email: string): string {
  const cut = email.lastIndexOf("@");
  const local = email
    .slice(0, cut)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/["\\<>()]/g, "");
  const [domain = ""] = email.slice(cut + 1).split(/[<>(),;\s]/);
  return `${local.replace(/(?<=.)\+.*$/s, "")}@${(domainToASCII(domain) || domain.toLowerCase()).replace(/\.$/, "")}`;
}
