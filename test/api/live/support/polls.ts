import { Database } from "../../../../src/db/pool/database.ts";

/** Runs `before` ahead of each poll of the hub, until the returned value is disposed of; a poll fails if it throws. */
export function beforePolls(before: () => unknown): Disposable {
  const { together } = Database.prototype;
  Database.prototype.together = async function <R>(...[statements]: Parameters<typeof together>) {
    if (statements.some(({ text }) => text.includes("store.tombstone"))) await before();
    return (await together.call(this, statements)) as R[];
  };
  return {
    [Symbol.dispose]: () => {
      Database.prototype.together = together;
    },
  };
}
