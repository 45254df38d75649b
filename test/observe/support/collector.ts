import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { decodeJson, decodeProtobuf, type ReceivedSpan, type ReceivedTraces } from "./decode-traces.ts";

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** The body, unpacked. */
  bytes: Buffer;
}

/** How a collector answers: with a status, and headers, or not at all. */
type Manner = { status: number; headers?: Record<string, string> } | "silent";

/** A collector of traces that speaks OTLP over HTTP. */
export interface Collector extends AsyncDisposable {
  url: string;
  /** Requests that it answered with 200. */
  taken: Received[];
  /** How many requests came, whatever the answer. */
  asked: number;
  manner: Manner;
  traces(): ReceivedTraces[];
  spans(): ReceivedSpan[];
  /** Waits until a span that fits has come, and returns all of its trace. */
  traceWith(fits: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan[]>;
}

export async function collector(port = 0): Promise<Collector> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      the.asked += 1;
      if (the.manner === "silent") return;
      const { status, headers = {} } = the.manner;
      if (status === 200) {
        const body = Buffer.concat(parts);
        const bytes = request.headers["content-encoding"] === "gzip" ? gunzipSync(body) : body;
        the.taken.push({ path: request.url ?? "", headers: request.headers, bytes });
      }
      response.writeHead(status, headers).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  const decoded = new Map<Received, ReceivedTraces>();
  const tracesOf = (received: Received): ReceivedTraces => {
    const isJson = received.headers["content-type"] === "application/json";
    const traces = decoded.get(received) ?? (isJson ? decodeJson : decodeProtobuf)(received.bytes);
    decoded.set(received, traces);
    return traces;
  };
  const the: Collector = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    taken: [],
    asked: 0,
    manner: { status: 200 },
    traces: () => the.taken.map(tracesOf),
    spans: () => the.traces().flatMap(({ spans }) => spans),
    async traceWith(fits) {
      for (;;) {
        const found = the.spans().find(fits);
        // The trace's other spans may be in the next batch.
        if (found === undefined) await sleep(20);
        else return await sleep(100).then(() => the.spans().filter((each) => each.traceId === found.traceId));
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return the;
}

/** The settings of a service that sends every trace to this collector soon. */
export const everyTrace = ({ url }: Pick<Collector, "url">): Record<string, string> => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: url,
  OTEL_TRACES_SAMPLER: "always_on",
  OTEL_BSP_SCHEDULE_DELAY: "50",
});
