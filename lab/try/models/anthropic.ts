import { callId, type Dialect, EVENTS, JSON_TYPE, type ModelCall, namedEvents, TEXT } from "./dialect.ts";

/** The Messages API of Anthropic. */
export const anthropic: Dialect = {
  path: /\/v1\/messages$/,
  answer({ stream = false }, _path, call) {
    return stream
      ? { type: EVENTS, body: namedEvents(streamed(call)) }
      : { type: JSON_TYPE, body: JSON.stringify(message([block(call)], stopOf(call))) };
  },
};

const stopOf = (call: ModelCall | undefined): string => (call === undefined ? "end_turn" : "tool_use");

const message = (content: object[], stop: string | null): object => ({
  ...{ id: callId(), type: "message", role: "assistant", model: "scripted", content },
  ...{ stop_reason: stop, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
});

const block = (call: ModelCall | undefined): object =>
  call === undefined
    ? { type: "text", text: TEXT }
    : { type: "tool_use", id: callId(), name: call.name, input: call.args };

function streamed(call: ModelCall | undefined): { type: string }[] {
  const start = call === undefined ? { type: "text", text: "" } : { ...block(call), input: {} };
  const delta =
    call === undefined
      ? { type: "text_delta", text: TEXT }
      : { type: "input_json_delta", partial_json: JSON.stringify(call.args) };
  const end = { delta: { stop_reason: stopOf(call), stop_sequence: null }, usage: { output_tokens: 1 } };
  const values: ({ type: string } & object)[] = [
    { type: "message_start", ...{ message: message([], null) } },
    { type: "content_block_start", ...{ index: 0, content_block: start } },
    { type: "content_block_delta", ...{ index: 0, delta } },
    { type: "content_block_stop", ...{ index: 0 } },
    { type: "message_delta", ...end },
    { type: "message_stop" },
  ];
  return values;
}
