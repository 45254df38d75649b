import type { Service } from "../operation/service/service.ts";

/**
 * Does work that only one process at a time may do for this name; false if another one is doing it. The lock
 * belongs to a connection, so PostgreSQL releases it when the process dies, even by kill -9.
 */
export async function holdJob({ db }: Service, name: string, work: () => Promise<void>): Promise<boolean> {
  return await db.locks.hold(name, work);
}
