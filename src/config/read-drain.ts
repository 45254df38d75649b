const LONGEST = 5;
/** Behind a proxy: time for it to ask `/readyz` and to choose another instance. */
const BEHIND_PROXY = 3;

/**
 * Returns DRAIN_SECONDS in milliseconds. Without the setting, a service behind a proxy gives it time to notice, and one
 * without a proxy stops at once, since nobody would send its callers elsewhere.
 */
export function drainMsOf(text: string | undefined, trustedProxies: readonly string[]): number {
  if (text === undefined || text === "") return trustedProxies.length > 0 ? BEHIND_PROXY * 1_000 : 0;
  const seconds = /^\d(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (seconds <= LONGEST) return Math.round(seconds * 1_000);
  throw new Error(`DRAIN_SECONDS is "${text}"; it must be a number of seconds from 0 to ${LONGEST}.`);
}
