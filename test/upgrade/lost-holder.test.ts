import assert from "node:assert/strict";
import { connect, createServer, type Socket } from "node:net";
import { Client } from "pg";
import { migrate } from "../../src/db/migrate.ts";
import { large } from "../large.ts";
import { freshDatabase } from "../template.ts";
import { freePort } from "../world.ts";

/** How long the next start may wait before the test gives up; PostgreSQL ends the silent one after five seconds. */
const PATIENCE_MS = 60_000;

large(
  "a start that never hears that it got the lock of migrations does not keep the next one from starting",
  async () => {
    const database = await freshDatabase();
    await using network = await networkThatLoses(database.url, "pg_try_advisory_lock");
    try {
      const lost = assert.rejects(migrate(network.url), /timeout/);
      await network.lost;
      assert.deepEqual(
        await migrate(database.url, undefined, { signal: AbortSignal.timeout(PATIENCE_MS) }),
        [],
      );
      await lost;
    } finally {
      await database.drop();
    }
  },
);

/** A way to the database that passes nothing more, in either direction, once a message with `word` has gone through it. */
async function networkThatLoses(
  databaseUrl: string,
  word: string,
): Promise<AsyncDisposable & { url: string; lost: Promise<void> }> {
  const { host, port } = new Client(databaseUrl);
  const url = new URL(databaseUrl);
  url.searchParams.delete("host");
  url.hostname = "127.0.0.1";
  url.port = String(await freePort());
  const { promise: lost, resolve } = Promise.withResolvers<void>();
  const open: Socket[] = [];
  const server = createServer((near) => {
    const far = host.startsWith("/") ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    open.push(near, far);
    let isLost = false;
    far.on("data", (data) => !isLost && near.write(data));
    near.on("data", (data) => {
      if (isLost) return;
      isLost = data.includes(word);
      far.write(data, () => isLost && resolve());
    });
    for (const socket of [near, far]) socket.on("error", () => undefined);
  });
  await new Promise<void>((listening) => server.listen(Number(url.port), "127.0.0.1", listening));
  return {
    ...{ url: url.href, lost },
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      await new Promise((closed) => server.close(closed));
    },
  };
}
