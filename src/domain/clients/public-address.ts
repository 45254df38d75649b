import dns from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import ipaddr from "ipaddr.js";
import { Refusal } from "../../core/refusal.ts";

/** What IANA has given out as global unicast so far; the rest of IPv6 is private, special or nobody's. */
const GLOBAL = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an IP address is a public unicast one, or lies in `ownNetworks` (CIDRs). Anything that carries an
 * IPv4 address inside (mapped, NAT64, 6to4, Teredo), or that Node does not call an address, is not.
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

/** A name server may keep a lookup's thread for long; passwords need the others. */
const MOST_AT_ONCE = 2;
let underWay = 0;

/**
 * Finds a host's addresses for the connection that is about to be made, and fails unless all are public: what
 * was checked is what is connected to, however the name answers the next time.
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
