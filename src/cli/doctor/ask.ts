import { randomUUID } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { DOCTOR_ANSWER, DOCTOR_ASKS, DOCTOR_HEADER, type SeenRequest } from "../../core/doctor.ts";
import { seal, unseal } from "../../core/secret.ts";

/** An address that nobody has (RFC 5737), which the doctor claims to be. */
export const CLAIMED = "192.0.2.77";

/** What answered at a URL. */
export interface Asked {
  status: number;
  /** Where a redirection leads. */
  location: string | undefined;
  /** What the service saw of the request; undefined if what answered does not have its secret key. */
  seen: SeenRequest | undefined;
  /** Whether nothing stands between the doctor and the service. */
  isDirect: boolean;
  /** When it was asked and when it had answered, in milliseconds since 1970. */
  from: number;
  until: number;
}

/** Asks an instance at `/readyz` below a URL what it sees; throws if nothing answers in time. */
export async function ask(url: string, secretKeys: readonly string[], ms: number): Promise<Asked> {
  const question = randomUUID();
  const headers = {
    ...(secretKeys.length === 0 ? {} : { [DOCTOR_HEADER]: seal(secretKeys, DOCTOR_ASKS, question) }),
    "X-Forwarded-For": CLAIMED,
  };
  const from = Date.now();
  const { promise, resolve, reject } = Promise.withResolvers<Omit<Asked, "from" | "until">>();
  const send = url.startsWith("https:") ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(ms);
  const asking = send(`${url}/readyz`, { headers, agent: false, signal }, (answer) => {
    const { localPort } = answer.socket;
    let body = "";
    answer.setEncoding("utf8").on("data", (data: string) => {
      body += body.length < 100_000 ? data : "";
    });
    answer.on("end", () => {
      const seen = readSeen(body, question, secretKeys);
      const { statusCode: status = 0, headers } = answer;
      resolve({ status, location: headers.location, seen, isDirect: seen?.peer.port === localPort });
    });
    answer.on("error", reject);
  });
  asking.on("error", (error) =>
    reject(signal.aborted ? new Error(`no answer within ${ms / 1_000} seconds`) : error),
  );
  asking.end();
  return { ...(await promise), from, until: Date.now() };
}

function readSeen(body: string, question: string, secretKeys: readonly string[]): SeenRequest | undefined {
  try {
    const { doctor } = JSON.parse(body) as { doctor?: unknown };
    const text = typeof doctor === "string" ? unseal(secretKeys, DOCTOR_ANSWER, doctor) : undefined;
    const seen = text === undefined ? undefined : (JSON.parse(text) as SeenRequest);
    return seen?.question === question ? seen : undefined;
  } catch {
    return undefined;
  }
}
