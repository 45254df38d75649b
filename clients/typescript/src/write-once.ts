import { isUndone, LeadgateError } from "./error.ts";
import type { CallOptions } from "./transport.ts";
import { waitAfter } from "./wait.ts";

export interface WriteOnce<Found> extends CallOptions {
  /** Returns the record if it exists. Called before every attempt, also the first. */
  look(): Promise<Found | undefined>;
  /** Creates the record. */
  write(): Promise<Found>;
  /** How often to write at most, 5 by default. */
  attempts?: number;
  /** Milliseconds to wait at most before an attempt, 60,000 by default. If `Retry-After` is longer, the error is thrown. */
  longestWait?: number;
}

/**
 * Returns the record that `look` finds, or else the one that `write` creates. After a write without a response, or with a
 * response of 500 or above, or if another call has just created the record, it looks again before it writes again. Other
 * errors are thrown, also 429, `overloaded` and `migrating`, which the client's methods have repeated already.
 */
export async function writeOnce<Found>(steps: WriteOnce<Found>): Promise<{ data: Found; created: boolean }> {
  const { look, write, attempts = 5, ...waiting } = steps;
  for (let attempt = 1; ; attempt += 1) {
    const found = await look();
    if (found !== undefined) return { data: found, created: false };
    try {
      return { data: await write(), created: true };
    } catch (error) {
      if (!(error instanceof LeadgateError) || attempt >= attempts) throw error;
      if (error.code === "external_id_taken") continue;
      if (isUndone(error) || (error.status !== 0 && error.status < 500)) throw error;
      await waitAfter(error, { attempt, ...waiting });
    }
  }
}
