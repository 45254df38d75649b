import { type IncomingHttpHeaders, request } from "node:http";
import { brotliDecompressSync, gunzipSync } from "node:zlib";

/** An answer as it was on the wire. */
export interface Raw {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
  /** The body, decompressed if it says that it is compressed. */
  text: string;
}

/** Sends a request without headers of its own: fetch accepts compressed answers by itself, and hides that they were. */
export function raw(
  url: string,
  headers: Record<string, string>,
  { method = "GET", body }: { method?: string; body?: object | string } = {},
): Promise<Raw> {
  const sent = typeof body === "object" ? JSON.stringify(body) : body;
  const type: Record<string, string> = typeof body === "object" ? { "Content-Type": "application/json" } : {};
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers: { ...type, ...headers } }, (answer) => {
      const parts: Buffer[] = [];
      answer.on("data", (part: Buffer) => parts.push(part));
      answer.once("error", reject);
      answer.once("end", () => {
        const bytes = Buffer.concat(parts);
        const { statusCode: status = 0, headers } = answer;
        resolve({ status, headers, bytes, text: textOf(bytes, headers["content-encoding"]) });
      });
    });
    asked.once("error", reject);
    asked.end(sent);
  });
}

function textOf(bytes: Buffer, encoding: string | undefined): string {
  if (bytes.length === 0 || encoding === undefined) return bytes.toString();
  return (encoding === "gzip" ? gunzipSync(bytes) : brotliDecompressSync(bytes)).toString();
}
