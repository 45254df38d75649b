import type { Step } from "./steps.ts";
import { type Exchange, messagesOf } from "./support/recorder.ts";

/** Messages that say nothing about access. */
const QUIET =
  /^(initialize|notifications\/|server\/discover|subscriptions\/|prompts\/|resources\/|ping|logging\/)/;

/** Returns what a step exchanged, as words: `tools/call 403, refresh 400`. What is repeated is said once. */
export function wireWords({ wire }: Step): string {
  const words = wire.flatMap((exchange) => {
    const what = whatIs(exchange);
    return what === undefined ? [] : [`${what} ${exchange.status}`];
  });
  return words.filter((word, at) => word !== words[at - 1]).join(", ");
}

/** Names a request; undefined if it says nothing about access. */
function whatIs({ path, method, body, status }: Exchange): string | undefined {
  if (path.includes("oauth-protected-resource") || path.includes("oauth-authorization-server"))
    return undefined;
  if (path.endsWith("/register")) return "registration";
  if (path.endsWith("/revoke")) return "revocation";
  if (path.endsWith("/token")) return body.includes("grant_type=refresh_token") ? "refresh" : "code";
  if (method !== "POST") return undefined;
  const [message] = messagesOf(body);
  const called = message?.method ?? "message";
  return QUIET.test(called) && status < 400 ? undefined : called;
}

/** Returns the answers of `method` that succeeded in a step, parsed; their events if it was a stream. */
export function resultsOf({ wire }: Step, method: string): Record<string, unknown>[] {
  return wire
    .filter(
      ({ body, status }) => status === 200 && messagesOf(body).some((message) => message.method === method),
    )
    .flatMap(({ answer }) => {
      const text = answer.startsWith("{") ? answer : (/^data: (\{.*)$/m.exec(answer)?.[1] ?? "{}");
      const { result } = JSON.parse(text) as { result?: Record<string, unknown> };
      return result === undefined ? [] : [result];
    });
}
