// Runs in a thread of the running instance: performs the command line of one client.
import { Readable } from "node:stream";
import { parentPort, workerData } from "node:worker_threads";
import type { ThreadData } from "./instance/answer.ts";
import type { Act, Piece } from "./instance/messages.ts";
import type { Terminal } from "./instance/terminal.ts";
import { run } from "./run.ts";

const { words, config, examined } = workerData as ThreadData;
const act = (done: Act) => parentPort?.postMessage(done);

const waiting = new Map<number, (piece: Piece) => void>();
parentPort?.on("message", (piece: Piece) => waiting.get(piece.read)?.(piece));

let reads = 0;

/** Yields a file of the client, or its standard input. */
async function* bytesOf(path: string | undefined): AsyncGenerator<Buffer> {
  reads += 1;
  const read = reads;
  for (;;) {
    const piece = await new Promise<Piece>((resolve) => {
      waiting.set(read, resolve);
      act(path === undefined ? { read } : { read, path });
    });
    if (piece.failed !== undefined) throw new Error(piece.failed);
    if (piece.data === undefined) return;
    yield Buffer.from(piece.data, "base64");
  }
}

const terminal: Terminal = {
  out: (text) => act({ out: text }),
  err: (text) => act({ err: text }),
  read: (path) => Readable.from(bytesOf(path)),
};
act({ code: await run(words, { config, terminal, examined }) });
parentPort?.close();
