import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startTestServer } from "../../../test/template.ts";
import { freePort, type World, world } from "../../../test/world.ts";
import { type Recorder, recorder } from "./recorder.ts";

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Starts the PostgreSQL of the run, on which each host gets a database of its own. */
export async function database(): Promise<AsyncDisposable> {
  const folder = mkdtempSync(join(tmpdir(), "leadgate-try-"));
  const server = await startTestServer(folder);
  mkdirSync(join(folder, "ports"));
  Object.assign(process.env, {
    LEADGATE_TEST_SERVER: server.url,
    LEADGATE_TEST_PORTS: join(folder, "ports"),
  });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  const interrupted = () => void stop().finally(() => process.exit(130));
  for (const signal of SIGNALS) process.once(signal, interrupted);
  return {
    async [Symbol.asyncDispose]() {
      for (const signal of SIGNALS) process.off(signal, interrupted);
      await stop();
    },
  };
}

/** The service behind a recorder: its public URL is the recorder's. */
export async function recorded(): Promise<{ the: World; wire: Recorder } & AsyncDisposable> {
  const [port, servicePort] = [await freePort(), await freePort()];
  const the = await world({
    env: { AUTH_URL: `http://localhost:${port}`, AUTH_PORT: String(servicePort) },
  });
  const wire = await recorder(port, servicePort);
  return {
    ...{ the, wire },
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]();
      await the[Symbol.asyncDispose]();
    },
  };
}
