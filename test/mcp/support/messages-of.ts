import assert from "node:assert/strict";

/** Yields the messages of a streamed response as they arrive. */
export async function* messagesOf(answer: Response): AsyncGenerator<Record<string, unknown>> {
  assert.equal(answer.headers.get("content-type"), "text/event-stream");
  let text = "";
  for await (const bytes of answer.body ?? []) {
    text += Buffer.from(bytes).toString();
    for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n")) {
      const [, data] = /^data: (.*)$/m.exec(text.slice(0, end)) ?? [];
      text = text.slice(end + 2);
      if (data !== undefined) yield JSON.parse(data) as Record<string, unknown>;
    }
  }
}
