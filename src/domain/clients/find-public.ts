import dns from "node:dns";
import type { LookupFunction } from "node:net";
import { Refusal } from "../../core/refusal.ts";
import { isPublicAddress } from "./public-address.ts";

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
        return callback(new Error(`${host} is not at public addresses only`), []);
      }
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };

const busy = (): Refusal =>
  new Refusal("unavailable", "documents_busy", "Too many documents are being fetched. Try again shortly.", {
    retryAfter: 5,
  });
