import { LeadgateError } from "./error.ts";
import type { Events } from "./generated/methods.ts";
import type { FeedEvent } from "./generated/schema.ts";
import { wait, waitAfter } from "./wait.ts";

export interface StreamOptions {
  /** Where an earlier run stopped, as `save` received it; a cursor of the feed. Without one, the stream starts now. */
  cursor?: string | undefined;
  /** Stores the cursor, after all events before it were handled; heartbeats move it on, too. */
  save?(cursor: string): void | Promise<void>;
  /** Only events of these types, as for `followEvents`. */
  types?: string[];
  /** Leaves out events of this actor, such as your own key. */
  ignore?: string;
  /** Ends the stream, which then rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Milliseconds without a sign of life after which it connects again, 45,000 by default; the service sends one every 15,000. */
  silence?: number;
  /** Milliseconds to wait at most before it connects again, 60,000 by default. If `Retry-After` is longer, it throws. */
  longestWait?: number;
}

/** Why the service ends a stream that is to be opened again; other reasons are thrown. */
const AGAIN = new Set(["too_slow", "unavailable"]);

/**
 * Yields events about a tenth of a second after their commit, without end. It connects again by itself where it stopped,
 * so that nothing is skipped and nothing comes twice. Throws `LeadgateError` if the key ended (`unauthenticated`,
 * `forbidden`) or the cursor did (`cursor_expired`, `cursor_of_former_epoch`): then mirror or follow from the start.
 */
export async function* streamEvents(
  events: Pick<Events, "stream">,
  options: StreamOptions = {},
): AsyncGenerator<FeedEvent, void> {
  const { save, types, ignore, signal, silence = 45_000, longestWait } = options;
  let { cursor } = options;
  let retry = 2_000;
  for (let attempt = 1; ; attempt += 1) {
    try {
      const query = { ...(cursor !== undefined && { cursor }), ...(types && { types }) };
      const { data } = await events.stream(query, signal && { signal });
      for await (const message of messagesOf(data, silence)) {
        attempt = 0;
        retry = message.retry ?? retry;
        if (message.event === "end") throw ended(message.data);
        if (message.event === "change") {
          const event = JSON.parse(message.data) as FeedEvent;
          if (ignore === undefined || event.actor.id !== ignore) yield event;
        }
        if (message.id === undefined || message.id === cursor) continue;
        cursor = message.id;
        await save?.(cursor);
      }
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof LeadgateError) || !mayConnect(error)) throw error;
      if (error.retryAfter !== null) await waitAfter(error, { attempt, longestWait, signal });
    }
    await wait(retry, signal);
  }
}

const mayConnect = ({ status, code }: LeadgateError): boolean =>
  status === 0 || status === 429 || status === 503 || AGAIN.has(code);

function ended(data: string): LeadgateError {
  const { code, message } = JSON.parse(data) as { code: string; message: string };
  return new LeadgateError({ status: 200, code, message });
}

/** One message of an event stream (WHATWG HTML 9.2.6). */
interface Message {
  id?: string;
  event?: string;
  data: string;
  retry?: number;
}

/** Yields the messages of a stream until it ends, breaks off, or is silent for so many milliseconds. */
async function* messagesOf(body: ReadableStream<Uint8Array>, silence: number): AsyncGenerator<Message, void> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await within(silence, reader.read());
      if (done) return;
      const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) yield messageOf(part);
    }
  } catch (cause) {
    throw new LeadgateError({ status: 0, code: "no_response", message: "The stream broke off.", cause });
  } finally {
    void reader.cancel().catch(() => undefined);
  }
}

function messageOf(text: string): Message {
  const message: Message = { data: "" };
  for (const line of text.split("\n")) {
    const [, name, value = ""] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === "id") message.id = value;
    else if (name === "event") message.event = value;
    else if (name === "data") message.data += value;
    else if (name === "retry") message.retry = Number(value);
  }
  return message;
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing arrived for ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
