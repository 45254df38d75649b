import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** One connection to the service, on which a test decides when each byte is sent and read. */
export interface Connection {
  socket: Socket;
  /** Asks for a path and returns the head of the answer in lower case, once its body has arrived. */
  ask(path: string): Promise<string>;
  /** Resolves when the connection is closed. */
  closed: Promise<unknown>;
}

export async function connection(url: string): Promise<Connection> {
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  await once(socket, "connect");
  const closed = new Promise((resolve) => socket.once("close", resolve));
  socket.on("error", () => undefined);
  // Only what is read shows that the other side has ended.
  socket.resume();
  const ask = async (path: string) => {
    socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`);
    let text = "";
    for (;;) {
      const [bytes] = (await Promise.race([once(socket, "data"), closed.then(() => [])])) as [Buffer?];
      if (bytes === undefined) throw new Error(`the connection was closed after "${text}"`);
      text += bytes.toString("latin1");
      const [head = "", body] = text.split("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (body !== undefined && body.length >= length) return head.toLowerCase();
    }
  };
  return { socket, ask, closed };
}
