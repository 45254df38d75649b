import type { FastifyInstance } from "fastify";
import { listenWithMany } from "../http/admission/many-sockets.ts";
import { type Drainable, drainable } from "./drain.ts";

/** Opens a listener; throws an error that names the setting to change if that is not possible. */
export async function openListener(
  app: FastifyInstance,
  host: string,
  port: number,
  setting: string,
): Promise<Drainable> {
  const listener = drainable(app);
  try {
    await listenWithMany(app, { host, port });
    return listener;
  } catch (error) {
    await app.close();
    throw notListening(error, { host, port, setting });
  }
}

/** Names the setting by which a listener cannot be opened. */
function notListening(
  error: unknown,
  { host, port, setting }: { host: string; port: number; setting: string },
): unknown {
  const messages: Readonly<Record<string, string>> = {
    EADDRINUSE: `Port ${port} on ${host} is in use. Stop the program that uses it, or set ${setting} (and its URL) to another port.`,
    EACCES: `This user may not listen on port ${port}. Set ${setting} to a port from 1024 on, to which a proxy leads.`,
    ENOTFOUND: `HOST is "${host}", a name that has no address. ${OF_THIS_MACHINE}`,
    EADDRNOTAVAIL: `HOST is "${host}", which is not an address of this machine. ${OF_THIS_MACHINE}`,
  };
  const message = messages[(error as { code?: string }).code ?? ""];
  return message === undefined ? error : new Error(message, { cause: error });
}

const OF_THIS_MACHINE = "Set it to 127.0.0.1, to an address of this machine, or to 0.0.0.0 for all of them.";
