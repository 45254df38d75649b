import type { TSchema } from "typebox";
import type { Permission } from "../../../core/permission.ts";
import type { Fault } from "../../../core/refusal.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import type { TokenCaller } from "./bearer.ts";

/**
 * What a person answered to one question (MCP 2026-07-28, ElicitResult). `content` is as the client sent it: whoever
 * asked checks it.
 */
export interface Answer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
}

/** From what is only for developers to what is an emergency (RFC 5424 6.2.1). */
export type LogLevel = "debug" | "info" | "notice" | "warning" | "error" | "critical" | "alert" | "emergency";

/** One call: who calls, and how it may speak with the client meanwhile. */
export interface Call {
  service: Service;
  caller: TokenCaller;
  requestId: string;
  /** Aborted when the client closed the connection, which cancels the call since 2026-07-28; never before that. */
  signal: AbortSignal;
  /** Tells how far a long call is; silent where the client did not ask for it (progressToken). */
  progress(done: number, total?: number, message?: string): void;
  /** Sends a log message to the client, where it asked for them; the service itself logs elsewhere. */
  log(level: LogLevel, data: unknown): void;
  /** Whether the person can be asked in the middle of the call (2026-07-28, client capability elicitation). */
  canAsk: boolean;
  /** What the client said it can do (2026-07-28, ClientCapabilities); empty where it did not say. */
  capabilities: Readonly<Record<string, unknown>>;
  /** What the person answered, by the name of the question; empty at the first try. */
  answers: Readonly<Record<string, Answer>>;
}

/** A question to the person: the text that is shown, and a flat JSON Schema of what may be filled in. */
export interface Question {
  message: string;
  schema: object;
}

/** A question to the client itself, in the words of the protocol. */
export interface ClientQuestion {
  method: "sampling/createMessage" | "roots/list";
  params: object;
}

/**
 * Returned by what needs the person first. The dispatcher answers `input_required` with a protected requestState and
 * calls again with the answers of all rounds; only where `canAsk`, else it is -32021.
 */
export class Questions {
  readonly asked: Readonly<Record<string, Question | ClientQuestion>>;
  constructor(asked: Record<string, Question | ClientQuestion>) {
    this.asked = asked;
  }
}

/**
 * A result whose content blocks are made by hand (images, audio, embedded resources), for tools whose answer is not
 * one JSON object.
 */
export class Content {
  readonly blocks: readonly object[];
  readonly isError: boolean;
  constructor(blocks: readonly object[], isError = false) {
    this.blocks = blocks;
    this.isError = isError;
  }
}

/** What everything offered has in common. */
interface Offered {
  /** What the caller must be allowed; what they are not, lists leave out and calls refuse (403). */
  needs: Permission;
  /**
   * It begins (when run, read, gotten or completed) by performing an operation with the caller of the call, whose door
   * checks token and permission in the same message. Without this the dispatcher checks them first: one more round trip.
   */
  checksItself?: true;
  /** Answers are taken even where they come without the state of a question: nothing rests on them having been asked. */
  takesUnasked?: true;
}

/** A tool: words for an assistant, and what happens. */
export interface Tool extends Offered {
  /** At most 21 characters: some clients put 43 of their own before it. */
  name: string;
  title: string;
  description: string;
  input: TSchema;
  /** Absent for tools that answer `Content`. */
  output?: TSchema;
  destructive?: boolean;
  idempotent?: boolean;
  openWorld?: false;
  /** What is wrong with the arguments; nothing is run where there is any. */
  faults(args: unknown): Fault[];
  run(call: Call, args: unknown): Promise<object | Questions | Content>;
  /** Content blocks beside the JSON text, such as a resource link; made from the structured answer. */
  links?(answer: object): object[];
}

/** What a resource holds as text. */
export interface ResourceText {
  text: string;
  /** Where it is another than the resource's own. */
  mimeType?: string;
}

/** What a resource holds: its text, or bytes as base64. */
export type ResourceContent = ResourceText | { blob: string; mimeType?: string };

export interface Resource extends Offered {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** It may be more than one answer holds: `?offset=` behind the URI, as answers give it as `next`, reads on. */
  paged?: true;
  read(call: Call, offset: number): Promise<ResourceContent>;
}

/** What a person may mean: all of it, or the first of more, whose number nobody counted. */
export type Completion = string[] | { first: string[] };

export interface ResourceTemplate extends Offered {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** The variables of a URI of this template; undefined where the URI is none of its own. */
  match(uri: string): Record<string, string> | undefined;
  /** Undefined: no such resource (-32602 with the URI). */
  read(call: Call, variables: Record<string, string>): Promise<ResourceContent | undefined>;
  complete?(call: Call, variable: string, typed: string, others: Record<string, string>): Promise<Completion>;
}

export interface PromptArgument {
  name: string;
  title?: string;
  description: string;
  required: boolean;
}

export interface Prompt extends Offered {
  name: string;
  title: string;
  description: string;
  arguments: readonly PromptArgument[];
  get(
    call: Call,
    args: Record<string, string>,
  ): Promise<{ description?: string; messages: object[] } | Questions>;
  complete?(call: Call, argument: string, typed: string, others: Record<string, string>): Promise<Completion>;
}

/** Everything a server offers; one dispatcher serves any of them. */
export interface Registry {
  tools: readonly Tool[];
  resources: readonly Resource[];
  templates: readonly ResourceTemplate[];
  prompts: readonly Prompt[];
  server: { name: string; title: string; version: string };
  instructions: string;
  /**
   * One process serves everybody: log levels, subscriptions and questions in mid-call are served to earlier revisions
   * too, which answer them in messages of their own. The service itself does not: its instances know nothing of each other.
   */
  oneProcess?: true;
}
