import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

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
