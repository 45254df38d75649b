import { Worker } from "node:worker_threads";
import { Refusal } from "../../../../core/refusal.ts";
import { refuseForeign } from "../shape/refuse-foreign.ts";
import type { FoundSheets, SheetMessage } from "./sheet-names.ts";

const STUCK_MS = 60_000;

/**
 * Yields a sheet of a spreadsheet (XLSX), by default the first with a table, as CSV in UTF-8. Reads it in a thread with limited
 * memory, because a small file can unpack to a very large one. `tell` receives the sheets before the rows.
 */
export async function* sheetAsCsv(
  bytes: AsyncIterable<Buffer>,
  sheet: string | undefined,
  tell?: (found: FoundSheets) => void,
): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk);
  const file = Buffer.concat(chunks);
  refuseForeign(file);
  if (file.subarray(0, 2).toString("latin1") !== "PK") throw unreadable("is not an XLSX file");
  const worker = new Worker(new URL("./sheet-worker.ts", import.meta.url), {
    workerData: { bytes: file, sheet },
    resourceLimits: { maxOldGenerationSizeMb: 512 },
    env: {},
  });
  const late = setTimeout(() => void worker.terminate(), STUCK_MS);
  try {
    for await (const message of messagesOf(worker)) {
      if (message === null) return;
      if ("code" in message) throw new Refusal("unprocessable", message.code, message.message);
      if ("sheets" in message) {
        tell?.(message);
        continue;
      }
      yield Buffer.from(message.csv);
      worker.postMessage("more");
    }
    throw unreadable("is too large; save it as CSV");
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}

async function* messagesOf(worker: Worker): AsyncGenerator<SheetMessage> {
  const waiting: SheetMessage[] = [];
  let ended = false;
  let wake = () => {};
  worker.on("message", (message: SheetMessage) => {
    waiting.push(message);
    wake();
  });
  const end = () => {
    ended = true;
    wake();
  };
  worker.on("error", end);
  worker.on("exit", end);
  for (;;) {
    const message = waiting.shift();
    if (message !== undefined) yield message;
    else if (ended) return;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
}

const unreadable = (why: string): Refusal =>
  new Refusal("unprocessable", "unreadable_sheet", `The file ${why}.`);
