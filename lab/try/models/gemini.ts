import { type Dialect, EVENTS, events, JSON_TYPE, type ModelCall, TEXT } from "./dialect.ts";

/** The API of Google's models. */
export const gemini: Dialect = {
  path: /:(streamGenerateContent|generateContent)(\?|$)/,
  answer(_request, path, call) {
    const value = {
      candidates: [{ index: 0, finishReason: "STOP", content: { role: "model", parts: [partOf(call)] } }],
      usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
    };
    return path.includes(":stream")
      ? { type: EVENTS, body: events([value]) }
      : { type: JSON_TYPE, body: JSON.stringify(value) };
  },
};

const partOf = (call: ModelCall | undefined): object =>
  call === undefined ? { text: TEXT } : { functionCall: { name: call.name, args: call.args } };
