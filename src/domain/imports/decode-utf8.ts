import { Refusal } from "../../core/refusal.ts";

/** Bytes as text without the byte order mark; throws a refusal at the first byte that is not UTF-8. */
export async function* decodeUtf8(source: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let line = 1;
  try {
    for await (const chunk of source) {
      const text = decoder.decode(typeof chunk === "string" ? Buffer.from(chunk) : chunk, { stream: true });
      if (text !== "") yield text;
      line += text.split("\n").length - 1;
    }
    const rest = decoder.decode();
    if (rest !== "") yield rest;
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new Refusal(
      "unprocessable",
      "not_utf8",
      `The file is not valid UTF-8 (after line ${line}). Save it as UTF-8.`,
      {
        cause,
      },
    );
  }
}
