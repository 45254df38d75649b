import { type Agent, request } from "node:http";

/** A request over the keep-alive connections of an agent. */
export interface HttpCall {
  agent: Agent;
  port: number;
  /** POST by default with a body, else GET. */
  method?: string;
  path: string;
  headers?: Record<string, string>;
  /** JSON, unless `headers` has another Content-Type. */
  body?: string;
}

export interface HttpAnswer {
  status: number;
  body: string;
}

/** Returns the answer; status 0 with the error's message if there was none. */
export function ask({ agent, port, path, headers = {}, body, ...rest }: HttpCall): Promise<HttpAnswer> {
  const { method = body === undefined ? "GET" : "POST" } = rest;
  const content =
    body === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const failed = (error: Error) => resolve({ status: 0, body: error.message });
    const all = { ...content, ...headers };
    const sent = request({ host: "127.0.0.1", port, method, path, agent, headers: all }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
      answer.once("error", failed);
      answer.once("end", () => resolve({ status: answer.statusCode ?? 0, body: text }));
    });
    sent.once("error", failed);
    sent.end(body);
  });
}
