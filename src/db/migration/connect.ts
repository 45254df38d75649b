import pg from "pg";
import { within } from "../../core/within.ts";
import { hangUp } from "../pool/client.ts";
import { KEEP_ALIVE, migrationOptions } from "../statements/session-settings.ts";

export const CONNECT_MS = 10_000;
/** How long an answer may take that is not a migration's own: a silent network must not hold up a start for ever. */
export const ANSWER_MS = 10_000;
export const END_MS = 1_000;

/** Opens a connection with a migration's settings. */
export async function connected(url: string, limits: pg.ClientConfig = {}): Promise<pg.Client> {
  const client = new pg.Client({
    connectionString: url,
    options: migrationOptions(),
    connectionTimeoutMillis: CONNECT_MS,
    ...KEEP_ALIVE,
    ...limits,
  });
  // The statement that follows, or the one that waits, fails as well.
  client.on("error", () => undefined);
  await client.connect();
  return client;
}

/** Ends a connection; closes it if its network is silent, which the server then notices by itself. */
export async function end(client: pg.Client): Promise<void> {
  if (!(await within(END_MS, client.end()))) hangUp(client, new Error("the connection did not end"));
}
