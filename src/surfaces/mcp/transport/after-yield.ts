let pending: Promise<void> | undefined;

/**
 * Resolves after the event loop has yielded, so that waiting responses are written one after the other: a
 * write that wakes a sleeping reader costs as much as the rest of a call, and the next writes find it awake.
 */
export function afterYield(): Promise<void> {
  pending ??= new Promise((resolve) => {
    setImmediate(() => {
      pending = undefined;
      resolve();
    });
  });
  return pending;
}
