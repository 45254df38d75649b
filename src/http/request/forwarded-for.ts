import type { IncomingMessage } from "node:http";
import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

const HEADER = "x-forwarded-for";

/**
 * Rewrites a request's X-Forwarded-For to plain addresses, as trustProxy reads it: some proxies add ports, brackets
 * or quotes, and an entry that is not an address would count as one client, or end the list of trusted hops early.
 */
export function readForwardedFor({ headers }: IncomingMessage): void {
  const sent = headers[HEADER];
  if (typeof sent === "string") headers[HEADER] = plainAddresses(sent);
}

/** Returns the list with each entry as a plain address, in order; `unknown` for an entry that is not an address. */
export const plainAddresses = (list: string): string =>
  list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => addressIn(entry) ?? "unknown")
    .join(", ");

/** Returns the address in `10.0.0.1:80`, `[2001:db8::1]:80` or either in quotes, without port and zone. */
function addressIn(entry: string): string | undefined {
  if (isIPv4(entry)) return entry;
  const text = /^"([^"]*)"$/.exec(entry)?.[1]?.trim() ?? entry;
  const [, inBrackets] = /^\[([^[\]]+)\](?::\d{1,5})?$/.exec(text) ?? [];
  if (inBrackets !== undefined) return isIP(inBrackets) === 6 ? plain(inBrackets) : undefined;
  // 2001:db8::1:443 is an address as a whole, so only what is not one can end in a port
  return [text, text.replace(/:\d{1,5}$/, "")].filter((each) => isIP(each) !== 0).map(plain)[0];
}

/** Returns the one spelling of an address: without a zone, and IPv4 where it is mapped into IPv6. */
const plain = (address: string): string => ipaddr.process(address.replace(/%.*$/, "")).toString();
