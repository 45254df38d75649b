type End = () => unknown;

const ends: End[] = [];

/** Has `end` called once all tests of the current file have ended. */
export function atEndOfFile(end: End): void {
  ends.push(end);
}

/** Ends what the tests of a file shared, the latest first. */
export async function endOfFile(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}
