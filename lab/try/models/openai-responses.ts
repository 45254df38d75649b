import { callId, type Dialect, EVENTS, type ModelCall, namedEvents, TEXT } from "./dialect.ts";

/** The Responses API of OpenAI, streamed. */
export const openaiResponses: Dialect = {
  path: /\/responses$/,
  answer(_request, _path, call) {
    const id = callId();
    const item = itemOf(call);
    const usage = {
      ...{ input_tokens: 1, output_tokens: 1, total_tokens: 2 },
      ...{ input_tokens_details: null, output_tokens_details: null },
    };
    const values = [
      { type: "response.created", response: { id } },
      { type: "response.output_item.added", output_index: 0, item },
      { type: "response.output_item.done", output_index: 0, item },
      { type: "response.completed", response: { id, status: "completed", output: [item], usage } },
    ];
    return { type: EVENTS, body: namedEvents(values) };
  },
};

function itemOf(call: ModelCall | undefined): object {
  if (call === undefined)
    return {
      ...{ type: "message", role: "assistant", id: callId(), status: "completed" },
      content: [{ type: "output_text", text: TEXT, annotations: [] }],
    };
  const { name, args, namespace } = call;
  return {
    ...{ type: "function_call", id: callId(), call_id: callId(), name, arguments: JSON.stringify(args) },
    ...(namespace === undefined ? {} : { namespace }),
  };
}
