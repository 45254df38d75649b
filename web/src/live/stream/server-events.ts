/** What a stream of server-sent events carries. */
export interface ServerEvents {
  /** An event with its data, and the last id so far. */
  event(name: string, data: string, id: string): void;
  /** Something arrived, if only a sign of life; `id` is the last id so far. */
  alive(id: string): void;
}

/** Reads server-sent events (WHATWG HTML 9.2) until the stream ends. Throws if the connection breaks. */
export async function readServerEvents(
  body: ReadableStream<Uint8Array<ArrayBuffer>>,
  on: ServerEvents,
): Promise<void> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let id = "";
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    text += part.value;
    for (let cut = text.indexOf("\n\n"); cut >= 0; cut = text.indexOf("\n\n")) {
      const fields = fieldsOf(text.slice(0, cut));
      text = text.slice(cut + 2);
      id = fields.get("id") ?? id;
      const data = fields.get("data");
      if (data !== undefined) on.event(fields.get("event") ?? "message", data, id);
    }
    on.alive(id);
  }
}

function fieldsOf(block: string): Map<string, string> {
  const fields = new Map<string, string>();
  for (const line of block.split("\n")) {
    const colon = line.indexOf(":");
    if (colon <= 0) continue;
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
    const before = name === "data" ? fields.get(name) : undefined;
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  return fields;
}
