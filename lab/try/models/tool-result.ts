/** A message of a conversation, or a part of one, in any of the APIs. */
interface Part {
  type?: string;
  role?: string;
  content?: string | Part[];
  output?: string | Part[];
  text?: string;
  parts?: Part[];
  functionResponse?: { response?: unknown };
}

/** Returns the text of the newest result of a tool in a conversation; empty if there is none. */
export function newestResult(messages: readonly unknown[]): string {
  for (const message of messages.toReversed()) {
    const text = resultIn(message as Part);
    if (text !== undefined) return text;
  }
  return "";
}

function resultIn(part: Part): string | undefined {
  if (part.type === "tool_result" || part.role === "tool") return textOf(part.content);
  if (part.type === "function_call_output") return textOf(part.output);
  if (part.functionResponse !== undefined) return JSON.stringify(part.functionResponse.response);
  const inner = Array.isArray(part.content) ? part.content : (part.parts ?? []);
  return inner.map(resultIn).find((text) => text !== undefined);
}

const textOf = (content: string | Part[] | undefined): string =>
  typeof content === "string" ? content : (content ?? []).map(({ text = "" }) => text).join("\n");
