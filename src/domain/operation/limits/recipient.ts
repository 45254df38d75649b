import { domainToASCII } from "node:url";
import { macOf } from "../../../core/secret.ts";
import type { Service } from "../service/service.ts";

/**
 * Returns a name for the recipient of mails, for the bucket of a limit: the same for all spellings of an address, and
 * not reversible. Of the keys it takes the one that signs, since that is the same on all running instances.
 */
export function recipientOf({ config: { secretKeys } }: Service, purpose: string, email: string): string {
  const [signing = ""] = secretKeys;
  return macOf(signing, purpose, mailboxOf(email));
}

/** One name for the spellings of an address that reach the same mailbox: case, quotes, `+tag`, and forms of the domain. */
export function mailboxOf(email: string): string {
  const cut = email.lastIndexOf("@");
  const local = email
    .slice(0, cut)
    .normalize("NFKC")
    .toLowerCase()
    .replace(/["\\<>()]/g, "");
  const domain = email.slice(cut + 1).replace(/[<>()]/g, "");
  return `${local.replace(/(?<=.)\+.*$/s, "")}@${(domainToASCII(domain) || domain.toLowerCase()).replace(/\.$/, "")}`;
}
