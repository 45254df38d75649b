import { type Agent, type IncomingMessage, request as plainRequest } from "node:http";
import { request } from "node:https";
import { text } from "node:stream/consumers";

/** A request to a proxy on this machine. */
interface HttpsCall {
  port: number;
  /** The host that is asked for, in TLS and in the request. */
  host: string;
  /** POST by default with a body, else GET. */
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** The address of this machine from which the connection comes. */
  from?: string;
  ca?: string;
  /** The host in TLS, if it is another one. */
  servername?: string;
  agent?: Agent;
}

interface Answered {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
}

/** Returns the answer as it begins; over https if `ca` is given. */
export function opened(call: HttpsCall): Promise<IncomingMessage> {
  const { port, host, path, headers = {}, body, from, ca, agent, servername = host } = call;
  const { method = body === undefined ? "GET" : "POST" } = call;
  const content =
    body === undefined
      ? {}
      : { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
  const options = {
    ...{ host: "127.0.0.1", port, path, method, headers: { ...content, ...headers, Host: host } },
    ...(from === undefined ? {} : { localAddress: from }),
    ...(agent === undefined ? {} : { agent }),
  };
  return new Promise((resolve, reject) => {
    const sent =
      ca === undefined ? plainRequest(options, resolve) : request({ ...options, ca, servername }, resolve);
    sent.once("error", reject);
    sent.end(body);
  });
}

/** Returns the whole answer. */
export async function call(of: HttpsCall): Promise<Answered> {
  const answer = await opened(of);
  return { status: answer.statusCode ?? 0, headers: answer.headers, body: await text(answer) };
}
