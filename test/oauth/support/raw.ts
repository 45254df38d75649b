import { request } from "node:http";
import { expectDescribed } from "../../answers/expect.ts";

/** A response as received. */
export interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/**
 * Sends exactly these headers and bytes: fetch would add, join and repair them. If the service closes the
 * connection during the upload, it returns what was received until then.
 */
export async function raw(
  url: string,
  method: string,
  headers: ReadonlyArray<readonly [string, string]> = [],
  body: string | Buffer = "",
): Promise<RawAnswer> {
  const bytes = Buffer.from(body);
  const length: Array<readonly [string, string]> =
    bytes.length > 0 || method === "POST" ? [["Content-Length", String(bytes.length)]] : [];
  const host = ["Host", new URL(url).host] as const;
  const answer = await new Promise<RawAnswer>((resolve, reject) => {
    const sending = request(url, {
      method,
      headers: [host, ...headers, ...length].flat() as string[] & Record<string, string>,
      agent: false,
    });
    let answered = false;
    sending.on("response", (response) => {
      answered = true;
      const pieces: Buffer[] = [];
      const end = () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(pieces).toString(),
        });
      response.on("data", (piece: Buffer) => pieces.push(piece));
      response.on("end", end);
      response.on("error", end);
    });
    sending.on("error", (error) => {
      if (!answered) reject(error);
    });
    sending.end(bytes);
  });
  const described = new Headers(Object.entries(answer.headers).map(([name, value]) => [name, String(value)]));
  const { status, text } = answer;
  await expectDescribed({ method, path: new URL(url).pathname, status, headers: described, body: text });
  return answer;
}

/** Returns the members of a JSON response; empty for anything else. */
export function membersOf({ text }: RawAnswer): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
}
