import {
  type Call,
  callsOf,
  type History,
  isAcknowledged,
  isUnknown,
  mayHaveHappened,
  textIn,
  valueIn,
} from "../history.ts";
import type { Broken } from "./broken.ts";

/**
 * A code and a refresh token work once. A replayed token ends its chain, and so does a revocation: nothing of it works
 * again. The newest token of a chain works as long as nobody ended it. In the end every chain has an answer.
 */
export function checkTokens(history: History): Broken[] {
  const calls = callsOf(history, "oauth.exchange", "oauth.refresh", "oauth.introspect", "oauth.revoke");
  return [...Map.groupBy(calls, ({ about }) => String(about.chain))].flatMap(([chain, own]) =>
    checkChain(chain, own),
  );
}

const isReplay = ({ answer }: Call) => textIn(answer, "error_description").includes("replay detected");
const isActive = ({ answer }: Call) => valueIn(answer, "active") === true;
const isAnswered = ({ status }: Call) => status !== null && status < 429;

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
  for (const { n, status, answer } of [...exchanges, ...refreshes])
    if (status === 400 && textIn(answer, "error") !== "invalid_grant") say(`call ${n} is no invalid_grant`);

  const ends = [...refreshes.filter(isReplay), ...revocations.filter(isAcknowledged)];
  const ended = Math.min(...ends.map(({ end }) => end));
  for (const { n, op, start } of [...uses, ...introspections.filter(isActive)])
    if (start > ended) say(`call ${n} (${op}) worked after the chain had been ended`);

  const may = mayEnd(refreshes, revocations);
  const isClosed = (until: number) => may.some((start) => start < until);
  for (const call of [...exchanges, ...refreshes].filter(isAcknowledged)) {
    const token = textIn(call.answer, "refresh_token");
    const shown = refreshes.filter(({ about }) => about.token === token);
    for (const use of shown.filter(({ status }) => status === 400)) {
      const before = shown.filter(
        (other) => other !== use && mayHaveHappened(other) && other.start < use.end,
      );
      if (isReplay(use) && before.length === 0) say(`call ${use.n}: a token that was never used is a replay`);
      if (isReplay(use)) continue;
      if (before.some((other) => isAcknowledged(other) && other.end < use.start)) {
        if (ended > use.start) say(`call ${use.n}: a replay was not noticed`);
      } else if (!before.some(isAcknowledged) && !isClosed(use.end))
        say(`call ${use.n}: the current refresh token was refused`);
    }
    const access = textIn(call.answer, "access_token");
    for (const { n, end, answer, status } of introspections.filter(({ about }) => about.token === access))
      if (status === 200 && valueIn(answer, "active") !== true && !isClosed(end))
        say(`call ${n}: a living access token is not active`);
  }
  const last = refreshes.toSorted((a, b) => a.start - b.start).at(-1);
  if (last !== undefined && !isAnswered(last)) say(`call ${last.n}: its token was never answered in the end`);
  return broken;
}

/**
 * When each call began that ended the chain or may have: a revocation, or a token that had been used. A refresh that
 * was answered 5xx found what other calls had done before its answer; one without an answer may still find it later.
 */
function mayEnd(refreshes: readonly Call[], revocations: readonly Call[]): number[] {
  const isSecond = (call: Call) =>
    refreshes.some(
      (other) =>
        other !== call &&
        other.about.token === call.about.token &&
        mayHaveHappened(other) &&
        (call.status === null || other.start < call.end),
    );
  return [
    ...revocations.filter(mayHaveHappened),
    ...refreshes.filter((call) => isReplay(call) || (isUnknown(call) && isSecond(call))),
  ].map(({ start }) => start);
}
