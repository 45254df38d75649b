let end: Promise<void> | undefined;

/**
 * The end of the event loop's turn. Answers that wait for it go out one behind the other: writing to a reader that sleeps
 * wakes it, which costs as much as the rest of a call, and the next ones find it awake.
 */
export function endOfTurn(): Promise<void> {
  end ??= new Promise((resolve) => {
    setImmediate(() => {
      end = undefined;
      resolve();
    });
  });
  return end;
}
