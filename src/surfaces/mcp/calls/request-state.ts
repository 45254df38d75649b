import { hashOf, seal, unseal } from "../../../core/secret.ts";
import { tokenStanding } from "../../../domain/grants/check-token.ts";
import type { Exchange } from "../protocol/exchange.ts";
import { isObject } from "../protocol/message.ts";
import type { Answer } from "../protocol/registry.ts";
import { badParams } from "../protocol/rpc-error.ts";

const PURPOSE = "mcp request state";
const SECONDS = 600;
const LARGEST = 64_000;

/** What is remembered between a question and its answer. */
interface State {
  /** The authorization, which outlives the access token of the first round. */
  who: string;
  /** The method with its parameters. */
  what: string;
  until: number;
  answers: Record<string, Answer>;
}

/**
 * Returns the sealed state of a question; only the same authorization can use it, for the same call, for ten
 * minutes.
 */
export async function sealState(
  exchange: Exchange,
  method: string,
  params: Record<string, unknown>,
  answers: Readonly<Record<string, Answer>>,
): Promise<string> {
  const { who, now } = await askerOf(exchange);
  const state: State = { who, what: digestOf(method, params), until: now + SECONDS, answers };
  const text = JSON.stringify(state);
  if (text.length > LARGEST) throw badParams("the answers are too large");
  return seal(exchange.service.config.secretKeys, PURPOSE, text);
}

/** Returns the answers of earlier rounds; empty without a state, -32602 if the state is not of this call. */
export async function openState(
  exchange: Exchange,
  method: string,
  params: Record<string, unknown>,
): Promise<Record<string, Answer> | undefined> {
  const { requestState } = params;
  if (requestState === undefined) return undefined;
  if (typeof requestState !== "string") throw badParams("requestState must be a string");
  // Decoding base64url ignores trailing characters: only the exact string that was issued is accepted.
  const ours = Buffer.from(requestState, "base64url").toString("base64url") === requestState;
  const text = ours ? unseal(exchange.service.config.secretKeys, PURPOSE, requestState) : undefined;
  if (text === undefined) throw notOurs();
  const state = JSON.parse(text) as State;
  const { who, now } = await askerOf(exchange);
  if (state.who !== who || state.what !== digestOf(method, params)) throw notOurs();
  if (state.until < now) throw badParams("requestState has expired; call again without it");
  return state.answers;
}

async function askerOf({ service, caller }: Exchange): Promise<{ who: string; now: number }> {
  const { projectId, authorizationId, now } = await tokenStanding(service, caller);
  return { who: `${projectId} ${authorizationId}`, now };
}

/** Returns a digest that identifies a call, whatever the order of the members in its JSON. */
function digestOf(method: string, params: Record<string, unknown>): string {
  const { name, uri, arguments: args } = params;
  return hashOf(JSON.stringify([method, ordered({ name, uri, args })])).toString("base64url");
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (!isObject(value)) return value;
  const keys = Object.keys(value).sort();
  return keys.map((key) => [key, ordered(value[key])]);
}

const notOurs = () => badParams("requestState does not belong to this call; call again without it");
