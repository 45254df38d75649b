import { fork } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { freePort } from "../../../test/world.ts";

/** panva's oidc-provider over HTTP, which creates its codes and tokens through its own models. */
export interface Peer extends AsyncDisposable {
  port: number;
  pid: number;
  clientId: string;
  /** Returns bodies of exchanges, or tokens. */
  make(what: "codes" | "refresh" | "access", count: number): Promise<string[]>;
}

export async function startPeer(databaseUrl: string): Promise<Peer> {
  const port = await freePort();
  const child = fork(fileURLToPath(new URL("process.ts", import.meta.url)), [String(port), databaseUrl], {
    env: { ...process.env, NODE_ENV: "production" },
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  let printed = "";
  child.stderr?.on("data", (data: Buffer) => {
    printed += data.toString();
  });
  const failed = once(child, "exit").then(() => {
    throw new Error(`the peer ended: ${printed}`);
  });
  failed.catch(() => undefined);
  const answer = async () => (await Promise.race([once(child, "message"), failed]))[0] as object;
  const { clientId } = (await answer()) as { clientId: string };
  return {
    port,
    pid: child.pid ?? 0,
    clientId,
    async make(what, count) {
      child.send({ make: what, count });
      return ((await answer()) as { made: string[] }).made;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await failed.catch(() => undefined);
    },
  };
}
