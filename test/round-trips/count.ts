import type { Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type pg from "pg";
import { readTimeLimits } from "../../src/config/read-connections.ts";
import { sizeOf } from "../../src/domain/operation/project-size.ts";
import type { World, WorldOptions } from "../world.ts";

/**
 * Options of a world that sends nothing but the statements of its calls, as far as they are counted. A read that is slow, on a busy
 * machine, starts again in another lane; not here.
 */
export const QUIET: WorldOptions = {
  config: { instanceRenewMs: 3_600_000, timeLimits: readTimeLimits({ fast: 0, wait: 5, query: 15 }) },
};

/** Waits until what is done behind the answer to a first call is done: its credential's use is noted, its project's size read. */
export async function settled({ service }: World, projectId: string): Promise<void> {
  while (sizeOf(projectId) === undefined || service.db.connections.state.in_use > 0) await sleep(20);
}

/** Whether a message to PostgreSQL is work of a call: the pool looks at idle connections with an empty query, and closes them with X. */
function asks(message: unknown): boolean {
  const [kind] = Buffer.isBuffer(message) ? message.toString("latin1", 0, 1) : "";
  return kind !== "X" && !(kind === "Q" && (message as Buffer).length <= 6);
}

/**
 * Counts how often the service writes to PostgreSQL after having received from it, during one call: each is a
 * wait for a reply.
 */
export function roundTrips(
  the: World,
): (work: () => Promise<Response>) => Promise<[status: number, trips: number]> {
  const watched = new Set<pg.PoolClient>();
  let trips = 0;
  the.service.db.pool.on("acquire", (client) => {
    if (watched.has(client)) return;
    watched.add(client);
    const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
    const write = stream.write.bind(stream) as (...words: unknown[]) => boolean;
    let heard = true;
    // A listener of its own would be in the way of COPY, which takes pg's listener away for a while.
    const emit = stream.emit.bind(stream) as (...words: unknown[]) => boolean;
    stream.emit = (event: string | symbol, ...words: unknown[]) => {
      if (event === "data" || event === "readable") heard = true;
      return emit(event, ...words);
    };
    stream.write = (...words: unknown[]) => {
      if (asks(words[0])) {
        if (heard) trips += 1;
        heard = false;
      }
      return write(...words);
    };
  });
  return async (work) => {
    trips = 0;
    const answer = await work();
    // A streamed answer works until its last byte.
    if (!answer.bodyUsed) await answer.arrayBuffer();
    return [answer.status, trips];
  };
}
