const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"] as const;

/** After this time without a sign of the person, what the panel asks is not their use of the session. */
const UNATTENDED_MS = 600_000;

let lastSign = Date.now();
for (const sign of SIGNS) addEventListener(sign, () => (lastSign = Date.now()), { passive: true });

/**
 * The headers that report if the person has not used this tab lately: a panel that only follows the stream must not keep
 * their session alive.
 */
export const attendance = (): Record<string, string> =>
  Date.now() - lastSign < UNATTENDED_MS ? {} : { "X-Leadgate-Unattended": "1" };
