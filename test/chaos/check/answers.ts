import { type Call, type History, type Op, valueIn } from "../history.ts";
import type { Broken } from "./broken.ts";

/** The answers that actors may get besides 429 and 503. */
const EXPECTED: Record<Op, readonly number[]> = {
  "lead.create": [201],
  "lead.bulk": [200],
  "lead.upsert": [200, 201, 412],
  "lead.change": [200, 412],
  "lead.read": [200],
  "lead.delete": [200, 204],
  "lead.list": [200],
  "event.add": [200, 201],
  "feed.page": [200],
  "import.upload": [201],
  "import.commit": [202, 409],
  "import.read": [200],
  "export.start": [202],
  "export.read": [200],
  "export.file": [200],
  "oauth.sign-in": [200, 303],
  "oauth.register": [201],
  "oauth.authorize": [200, 302, 303],
  "oauth.exchange": [200, 400],
  "oauth.refresh": [200, 400],
  "oauth.introspect": [200],
  "oauth.revoke": [200],
  "counted.read": [200],
};

const RETRIES = /^[1-9]\d*$/;

/** Each answer can be read. No error but 503 and 429, both with Retry-After, and no refusal without a reason. */
export function checkAnswers(history: History): Broken[] {
  const calls = history.filter((entry): entry is Call => entry.kind === "call");
  const broken: Broken[] = [];
  for (const { n, op, status, retryAfter, answer, to } of calls) {
    if (status === null) continue;
    const what = `call ${n} (${op} to ${to}) was answered ${status}`;
    if (valueIn(answer, "unreadable") !== undefined)
      broken.push({ promise: "answers", what: `${what}, unreadable: ${JSON.stringify(answer)}` });
    if (EXPECTED[op].includes(status)) continue;
    if (status !== 429 && status !== 503)
      broken.push({ promise: "answers", what: `${what}: ${JSON.stringify(answer).slice(0, 300)}` });
    else if (!RETRIES.test(retryAfter ?? ""))
      broken.push({ promise: "answers", what: `${what} without Retry-After` });
  }
  return broken;
}

/** Everything is ready in time after the last fault, and no process ended by itself. */
export function checkReady(history: History): Broken[] {
  const broken: Broken[] = [];
  for (const entry of history) {
    if (entry.kind === "death")
      broken.push({ promise: "ready", what: `${entry.name} ended by itself: ${entry.how}` });
    if (entry.kind === "ready" && (entry.after === null || entry.after > entry.within)) {
      const after = entry.after === null ? "never" : `only after ${Math.round(entry.after)} ms`;
      broken.push({ promise: "ready", what: `${entry.name} was ready ${after}` });
    }
  }
  return broken;
}
