import { callId, type Dialect, EVENTS, events, JSON_TYPE, type ModelCall, TEXT } from "./dialect.ts";

/** The Chat Completions API of OpenAI, which many vendors copied. */
export const openaiChat: Dialect = {
  path: /\/chat\/completions$/,
  answer({ stream = false }, _path, call) {
    const shared = { id: callId(), created: 1, model: "scripted" };
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    const finish_reason = call === undefined ? "stop" : "tool_calls";
    if (!stream) {
      const choice = { index: 0, message: said(call), finish_reason };
      const body = { ...shared, object: "chat.completion", choices: [choice], usage };
      return { type: JSON_TYPE, body: JSON.stringify(body) };
    }
    const chunk = (delta: object, reason: string | null) => ({
      ...{ ...shared, object: "chat.completion.chunk" },
      choices: [{ index: 0, delta, finish_reason: reason }],
    });
    const chunks = [chunk(said(call), null), { ...chunk({}, finish_reason), usage }];
    return { type: EVENTS, body: `${events(chunks)}data: [DONE]\n\n` };
  },
};

function said(call: ModelCall | undefined): object {
  if (call === undefined) return { role: "assistant", content: TEXT };
  const { name, args } = call;
  const use = {
    index: 0,
    id: callId(),
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  };
  return { role: "assistant", content: null, tool_calls: [use] };
}
