import { fingerprintOf } from "../../../src/core/secret.ts";
import { freshDatabase } from "../../template.ts";
import { type World, world } from "../../world.ts";
import type { Tokens } from "./application.ts";

/** A database for instances that come and go. */
export interface Cluster extends AsyncDisposable {
  /** Starts an instance; one that is `slow` does not renew its row while a test lasts. */
  start(keys: string, more?: { slow?: boolean; env?: Record<string, string> }): Promise<World>;
  /** Stops an instance like SIGTERM does. */
  stop(instance: World): Promise<void>;
}

export async function cluster(): Promise<Cluster> {
  const database = await freshDatabase();
  const running = new Set<World>();
  const stop = async (instance: World) => {
    if (running.delete(instance)) await instance[Symbol.asyncDispose]();
  };
  return {
    async start(keys, { slow = false, env = {} } = {}) {
      const started = await world({
        env: { DATABASE_URL: database.url, SECRET_KEY: keys, ...env },
        config: { instanceRenewMs: slow ? 3_600_000 : 25 },
      });
      running.add(started);
      return started;
    },
    stop,
    async [Symbol.asyncDispose]() {
      for (const instance of running) await stop(instance);
      await database.drop();
    },
  };
}

/** Waits until something is so. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Waits until an instance signs with a key. */
export const untilSigning = (instance: World, key: string): Promise<void> =>
  until(() => instance.service.config.secretKeys[0] === key);

/** Waits until this instance has looked at the others again, twice, so that one look began after the call. */
export async function untilLooked(instance: World, keys: string): Promise<void> {
  const seen = async () => {
    const marks = keys.split(",").map(fingerprintOf);
    const [row] = await instance.sql<{ at: Date }>(
      "SELECT max(seen_at) AS at FROM instance WHERE keys = $1",
      [marks],
    );
    return row?.at.getTime() ?? 0;
  };
  for (let look = 0; look < 2; look += 1) {
    const before = await seen();
    await until(async () => (await seen()) > before);
  }
}

/** Moves the last signs of life of the instances that know exactly these keys into the past. */
export const age = (instance: World, keys: string, by = "1 hour"): Promise<unknown[]> =>
  instance.sql("UPDATE instance SET seen_at = seen_at - $2::interval WHERE keys = $1", [
    keys.split(",").map(fingerprintOf),
    by,
  ]);

/** Returns the key, of these, that the authorization of a refresh token names. */
export async function signerOf(
  instance: World,
  { refresh }: Tokens,
  keys: string[],
): Promise<string | undefined> {
  const [row] = await instance.sql<{ key: string | null }>(
    `SELECT signed_by AS key FROM store."authorization" WHERE id = $1`,
    [`az_${refresh.split("_")[2]}`],
  );
  return keys.find((key) => fingerprintOf(key) === row?.key);
}
