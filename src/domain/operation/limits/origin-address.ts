import { isIP, isIPv4 } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Parses an address only if Node accepts it: ipaddr.js alone reads 010.0.0.1 as 8.0.0.1. */
function addressOf(text: string): Address | undefined {
  const plain = text.split("%")[0] ?? "";
  return isIP(plain) === 0 ? undefined : ipaddr.process(plain);
}

/** One name for all clients behind an address: IPv6 by its /64, IPv4-mapped IPv6 as IPv4. */
export function originOf(text: string): string {
  // How a listener for both families names clients with IPv4.
  const plain = text.startsWith("::ffff:") ? text.slice(7) : text;
  if (isIPv4(plain)) return plain;
  const address = addressOf(text);
  if (address === undefined) return "unknown";
  if (address instanceof ipaddr.IPv4) return address.toString();
  const network = new ipaddr.IPv6([...address.parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network.toString()}/64`;
}

/** The value of the narrowest range (CIDR) that contains this address, if any. */
export function inRanges<T>(text: string, ranges: Record<string, T>): T | undefined {
  const address = addressOf(text);
  if (address === undefined) return undefined;
  let found: { bits: number; value: T } | undefined;
  for (const [range, value] of Object.entries(ranges)) {
    const [network, bits] = ipaddr.parseCIDR(range);
    if (network.kind() === address.kind() && address.match(network, bits) && bits >= (found?.bits ?? 0)) {
      found = { bits, value };
    }
  }
  return found?.value;
}
