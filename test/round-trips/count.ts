import type { Socket } from "node:net";
import type pg from "pg";
import type { World } from "../world.ts";

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
    stream.on("data", () => {
      heard = true;
    });
    stream.write = (...words: unknown[]) => {
      if (heard) trips += 1;
      heard = false;
      return write(...words);
    };
  });
  return async (work) => {
    trips = 0;
    const { status } = await work();
    return [status, trips];
  };
}
