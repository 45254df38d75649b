import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { Refusal } from "../../core/refusal.ts";

/**
 * The global unicast addresses that IANA has allocated so far; the rest of IPv6 is private, special or unallocated.
 */
const GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address is a public unicast one or lies in `ownNetworks` (CIDRs). False for addresses that contain
 * an IPv4 address (mapped, NAT64, 6to4, Teredo) and for text that Node does not accept as an address.
 */
export function isPublicAddress(text: string, ownNetworks: readonly string[] = []): boolean {
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  const own = ownNetworks.some((range) => {
    const [network, bits] = ipaddr.parseCIDR(range);
    return network.kind() === address.kind() && address.match(network, bits);
  });
  if (own) return true;
  return address.range() === "unicast" && (address instanceof ipaddr.IPv4 || address.match(GLOBAL));
}

/** A lookup may block a thread of the pool for a long time, and password hashes need the others. */
const MOST_AT_ONCE = 2;
let underWay = 0;

/**
 * A lookup that fails unless all of the host's addresses are public. The connection uses exactly the addresses that
 * were checked, so that DNS rebinding has no effect.
 */
export const findPublic =
  (ownNetworks: readonly string[]): LookupFunction =>
  (host, options, callback) => {
    if (underWay >= MOST_AT_ONCE) return callback(busy(), []);
    underWay += 1;
    dns.lookup(host, { ...options, all: true }, (error, addresses) => {
      underWay -= 1;
      if (error !== null) return callback(error, []);
      const [first] = addresses;
      if (first === undefined || !addresses.every(({ address }) => isPublicAddress(address, ownNetworks))) {
        return callback(new Error(`${host} does not resolve to public addresses only`), []);
      }
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

const busy = (): Refusal =>
  new Refusal("unavailable", "documents_busy", "Too many documents are being fetched. Try again shortly.", {
    retryAfter: 5,
  });
