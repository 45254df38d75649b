import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { recordOf, type Slot, type State } from "./state.ts";

/** A call of a tool, or another request, as the recorder saw it. */
export interface Recorded {
  at: string;
  method: string;
  tool?: string;
  /** The bytes of the request's arguments, and of what a model sees of the result. */
  asked: number;
  answered: number;
  failed: boolean;
}

interface Options {
  state: State;
  folder: string;
  authUrl: string;
  /** Called with the text of each tool result before the client gets it. */
  onResult(slot: Slot, text: string): Promise<void>;
}

interface Message {
  method?: string;
  params?: { name?: string; arguments?: object };
  result?: { content?: { type: string; text?: string }[]; isError?: boolean; contents?: { text?: string }[] };
  error?: { message: string };
}

/**
 * Starts a proxy between assistants and the service that lets each job into its own project and records its calls. What
 * was recorded is in a file at once, so that nothing is lost if it is killed.
 */
export async function startRecorder(options: Options): Promise<AsyncDisposable> {
  const server = createServer((request, response) => {
    pass(options, request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(502, { "Content-Type": "text/plain" })
          .end(`The recorder failed: ${error.message}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.state.port, "127.0.0.1", resolve);
  });
  return {
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Headers that concern one connection only, and those that fetch sets itself. */
const OWN_HEADERS = new Set([
  "host",
  "connection",
  "content-length",
  "transfer-encoding",
  "accept-encoding",
  "keep-alive",
]);

async function pass(options: Options, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const [, door, path] = /^\/([0-9a-f]{16})(\/.*)$/.exec(request.url ?? "") ?? [];
  const slot = options.state.slots.find((each) => each.door === door);
  if (slot === undefined) {
    response.writeHead(404).end("There is no such job.");
    return;
  }
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const headers = Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
    OWN_HEADERS.has(name) || value === undefined ? [] : [[name, String(value)]],
  );
  const answer = await fetch(`${options.authUrl}${path}`, {
    method: request.method ?? "GET",
    headers: [
      ["authorization", `Bearer ${slot.token}`],
      ...headers.filter(([name]) => name !== "authorization"),
    ],
    ...(body.length === 0 ? {} : { body }),
    redirect: "manual",
  });
  const asked = messagesOf(body.toString(), "")[0];
  const passed = [...answer.headers].filter(
    ([name]) => !OWN_HEADERS.has(name) && name !== "content-encoding",
  );
  const type = answer.headers.get("content-type") ?? "";
  if (asked?.method === undefined || type.startsWith("text/event-stream")) {
    // The server may ask something on a stream before it answers, so that a stream is passed on as it comes.
    const decoder = new TextDecoder();
    let text = "";
    response.writeHead(answer.status, passed);
    if (answer.body !== null) {
      for await (const part of answer.body) {
        response.write(part);
        if (asked?.method !== undefined) text += decoder.decode(part, { stream: true });
      }
    }
    if (asked?.method !== undefined) await record(options, slot, asked, text, type);
    response.end();
    return;
  }
  const text = await answer.text();
  await record(options, slot, asked, text, type);
  response.writeHead(answer.status, passed).end(text);
}

async function record(
  options: Options,
  slot: Slot,
  asked: Message,
  text: string,
  type: string,
): Promise<void> {
  const answer = messagesOf(text, type).find(
    ({ result, error }) => result !== undefined || error !== undefined,
  );
  const seen = seenBy(answer);
  const { name: tool, arguments: args = {} } = asked.params ?? {};
  const line: Recorded = {
    ...{ at: new Date().toISOString(), method: asked.method ?? "" },
    ...(tool === undefined ? {} : { tool }),
    ...{ asked: Buffer.byteLength(JSON.stringify(args)), answered: Buffer.byteLength(seen) },
    failed: answer?.result?.isError === true || answer?.result === undefined,
  };
  appendFileSync(recordOf(options.folder, slot), `${JSON.stringify(line)}\n`);
  if (asked.method === "tools/call") await options.onResult(slot, seen);
}

/** Returns what a model sees of an answer: the texts of the result. */
function seenBy(answer: Message | undefined): string {
  const { content, contents } = answer?.result ?? {};
  if (answer?.error !== undefined) return answer.error.message;
  const parts = content ?? contents;
  if (parts === undefined) return JSON.stringify(answer?.result ?? {});
  return parts.map((part) => part.text ?? JSON.stringify(part)).join("\n");
}

function messagesOf(text: string, type: string): Message[] {
  const texts = type.startsWith("text/event-stream")
    ? text.split("\n").flatMap((line) => (line.startsWith("data:") ? [line.slice(5)] : []))
    : [text];
  return texts.flatMap((each) => {
    try {
      const read = JSON.parse(each) as Message | Message[];
      return Array.isArray(read) ? read : [read];
    } catch {
      return [];
    }
  });
}

/** Returns the recorded requests of a job. */
export function readRecord(folder: string, slot: Slot): Recorded[] {
  const path = recordOf(folder, slot);
  if (!existsSync(path)) return [];
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Recorded);
}
