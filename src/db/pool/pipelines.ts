import { groupCommit } from "../wire/group-commit.ts";
import { Pipeline, type UseConnection } from "../wire/pipeline.ts";
import type { send } from "../wire/send.ts";
import type { Statement } from "../wire/statement-batch.ts";
import type { Connections, Work } from "./connections.ts";
import type { TimeLimits } from "./project-reads.ts";
import { isLost } from "./watch.ts";

/** How long a write that shares a message may wait for a lock, in milliseconds: one of tokens, and one of a project's record. */
const LOCK_MS = { token: 3_000, record: 50 };

interface ReadsAndWrites {
  read: Pipeline<Work>;
  write: Pipeline<Work>;
}

/** What shares messages: short work of no project, and reads and writes of a project's single records. */
export interface Pipelines {
  short: ReadsAndWrites;
  grouped: ReadsAndWrites;
}

/** Returns the pipelines over these connections; `name` names what is prepared. */
export function pipelinesOf(
  connections: Connections,
  { query, long }: TimeLimits,
  sendAll: typeof send,
  name: (statement: Statement) => Statement,
): Pipelines {
  const use =
    (limitMs: number, again = false): UseConnection<Work> =>
    (asked, work, batches) =>
      connections.use(asked, () => batches() * limitMs, work, again);
  const read = new Pipeline<Work>({ use: use(query, true), send: sendAll, sendAll, maySendAgain: isLost });
  // A pooler may run the transactions of a message on several connections, so there is no group to commit. On a cluster each
  // transaction is committed on the node of its project.
  const write = (limitMs: number, lockMs: number) =>
    new Pipeline<Work>({
      ...{ use: use(limitMs), send: sendAll, maySendAgain: () => false },
      ...(connections.options.pooled === true || connections.options.distributed === true
        ? { sendAll, together: 1 }
        : { sendAll: groupCommit(name, lockMs) }),
    });
  return {
    short: { read, write: write(query, LOCK_MS.token) },
    grouped: { read, write: write(long, LOCK_MS.record) },
  };
}
