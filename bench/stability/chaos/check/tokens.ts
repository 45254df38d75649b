import { type Call, callsOf, type History, isAcknowledged, isUnknown, textIn, valueIn } from "../history.ts";
import type { Broken } from "./broken.ts";

/**
 * A code and a refresh token work once. A replayed token ends its chain, and so does a revocation: nothing of it works
 * again. The newest token of a chain works as long as nobody ended it.
 */
export function checkTokens(history: History): Broken[] {
  const calls = callsOf(history, "oauth.exchange", "oauth.refresh", "oauth.introspect", "oauth.revoke");
  return [...Map.groupBy(calls, ({ about }) => String(about.chain))].flatMap(([chain, own]) =>
    checkChain(chain, own),
  );
}

const isReplay = ({ answer }: Call) => textIn(answer, "error_description").includes("replay detected");
const isActive = ({ answer }: Call) => valueIn(answer, "active") === true;

function checkChain(chain: string, calls: readonly Call[]): Broken[] {
  const broken: Broken[] = [];
  const say = (what: string) => broken.push({ promise: "tokens", what: `${chain}: ${what}` });
  const of = (op: Call["op"]) => calls.filter((call) => call.op === op);
  const [exchanges, refreshes] = [of("oauth.exchange"), of("oauth.refresh")];
  const [revocations, introspections] = [of("oauth.revoke"), of("oauth.introspect")];
  if (exchanges.filter(isAcknowledged).length > 1) say("its code was exchanged twice");
  const uses = refreshes.filter(isAcknowledged);
  for (const [, { length }] of Map.groupBy(uses, ({ about }) => String(about.token)))
    if (length > 1) say(`a refresh token worked ${length} times`);

  const ends = [...refreshes.filter(isReplay), ...revocations.filter(isAcknowledged)];
  const ended = Math.min(...ends.map(({ end }) => end));
  for (const { n, op, start } of [...uses, ...introspections.filter(isActive)])
    if (start > ended) say(`call ${n} (${op}) worked after the chain had been ended`);

  const mayHaveEnded = calls.filter((call) => call.op !== "oauth.introspect" && isUnknown(call));
  const issued = [...exchanges, ...refreshes].filter(isAcknowledged);
  for (const call of issued) {
    const token = textIn(call.answer, "refresh_token");
    const [first, ...more] = refreshes.filter(({ about }) => about.token === token);
    // The token was current, and nobody had asked for what ends the chain, or might still.
    const isCalm = (until: number) =>
      ends.every(({ start }) => start > until) &&
      mayHaveEnded.every(({ start }) => start > until) &&
      refreshes.every(
        (other) =>
          other === call || other.about.token === token || other.start > until || other.end < call.start,
      );
    if (first?.status === 400 && isCalm(first.end) && !wasReplayed(refreshes, first))
      say(`call ${first.n}: the current refresh token was refused`);
    for (const again of more) {
      if (isAcknowledged(first ?? again) && again.start > (first?.end ?? 0) && again.status === 400) {
        if (!isReplay(again) && ended > again.start) say(`call ${again.n}: a replay was not noticed`);
      }
    }
    const access = textIn(call.answer, "access_token");
    for (const { n, end, answer, status } of introspections.filter(({ about }) => about.token === access))
      if (status === 200 && valueIn(answer, "active") !== true && isCalm(end))
        say(`call ${n}: a living access token is not active`);
  }
  return broken;
}

/** Whether a superseded token had been presented before this call ended. */
function wasReplayed(refreshes: readonly Call[], { end }: Call): boolean {
  const used = new Set<string>();
  for (const { about, start } of refreshes.toSorted((a, b) => a.start - b.start)) {
    if (start >= end) return false;
    const token = String(about.token);
    if (used.has(token)) return true;
    used.add(token);
  }
  return false;
}
