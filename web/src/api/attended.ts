const SIGNS = ["pointermove", "pointerdown", "keydown", "wheel", "touchstart"] as const;

/** After this time without a sign of the person, what the panel asks is not their use of the session. */
const UNATTENDED_MS = 600_000;

let lastSign = Date.now();
for (const sign of SIGNS) addEventListener(sign, () => (lastSign = Date.now()), { passive: true });

/** Whether the person has used this tab lately: a panel that only follows the stream must not keep their session alive. */
export const isAttended = (): boolean => Date.now() - lastSign < UNATTENDED_MS;
