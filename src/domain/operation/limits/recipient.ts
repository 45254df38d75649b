import { domainToASCII } from "node:url";
import { macOf } from "../../../core/secret.ts";
import type { Service } from "../service/service.ts";

/**
 * Returns names for the recipient of mails, for the buckets of a limit: the same for all spellings of an address, and not
 * reversible. One for each key, so that instances with another set of keys count the same recipient.
 */
export function recipientsOf({ config: { secretKeys } }: Service, purpose: string, email: string): string[] {
  const mailbox = mailboxOf(email);
  return [...new Set(secretKeys)].map((key) => macOf(key, purpose, mailbox));
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
