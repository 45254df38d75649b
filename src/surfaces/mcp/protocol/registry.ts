import type { TSchema } from "typebox";
import type { Permission } from "../../../core/permission.ts";
import type { Fault } from "../../../core/refusal.ts";
import type { Service } from "../../../domain/operation/service/service.ts";
import type { TokenCaller } from "./bearer.ts";
import type { Task } from "./tasks.ts";

/**
 * A person's answer to one question (MCP 2026-07-28, ElicitResult). `content` is unchecked: the code that
 * asked validates it.
 */
export interface Answer {
  action: "accept" | "decline" | "cancel";
  content?: Record<string, unknown>;
}

/** One call: its caller, and how to communicate with the client during the call. */
export interface Call {
  service: Service;
  caller: TokenCaller;
  requestId: string;
  /**
   * Aborted when the client closes the connection, which cancels a call since 2026-07-28; never aborted in
   * earlier revisions.
   */
  signal: AbortSignal;
  /** Reports progress, if the client asked for it (progressToken). */
  progress(done: number, total?: number, message?: string): void;
  /** Whether the person can be asked during the call (2026-07-28, client capability elicitation). */
  canAsk: boolean;
  /** The client's capabilities (2026-07-28, ClientCapabilities); empty if it declared none. */
  capabilities: Readonly<Record<string, unknown>>;
  /** The person's answers by the name of the question; empty on the first try. */
  answers: Readonly<Record<string, Answer>>;
}

/** A question to the person: the text to show, and a flat JSON Schema of the fields to fill in. */
export interface Question {
  message: string;
  schema: object;
}

/**
 * Returned when the person must be asked first. The dispatcher answers `input_required` with a protected
 * requestState and calls again with the answers of all rounds; without `canAsk` it answers -32021.
 */
export class Questions {
  readonly asked: Readonly<Record<string, Question>>;
  constructor(asked: Record<string, Question>) {
    this.asked = asked;
  }
}

/**
 * A result with content blocks of its own (images, audio, embedded resources), for tools whose answer is not
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

/** What all offered items have in common. */
interface Offered {
  /** The required permission; without it, the item is not listed and calls are refused (403). */
  needs: Permission;
  /** A permission that is required, too. */
  alsoNeeds?: Permission;
  /**
   * Running, reading, getting or completing it starts by performing an operation as the caller, whose door
   * checks token and permission. Without this, the dispatcher checks them first, in a statement batch of its
   * own.
   */
  checksItself?: true;
  /**
   * Answers are accepted even without the state of a question: no protection depends on the person having
   * been asked.
   */
  takesUnasked?: true;
}

/** A tool: its description for an assistant, and its implementation. */
export interface Tool extends Offered {
  /** At most 21 characters: some clients prefix 43 of their own. */
  name: string;
  title: string;
  description: string;
  input: TSchema;
  /** The schema of arguments as lists show it, if they show less than is checked. */
  shownInput?: unknown;
  /** The schema of the structured answer, for hosts that need one. */
  output?: TSchema;
  /** Whether it changes nothing although its permission is one to write, or the other way around. */
  readOnly?: boolean;
  destructive?: boolean;
  idempotent?: boolean;
  openWorld?: false;
  /** Returns a path of an operation's input as a path of the tool's arguments, for warnings. */
  pathOf?(path: string, args: unknown): string;
  /** Returns what is wrong with the arguments; the tool does not run if anything is. */
  faults(args: unknown): Fault[];
  run(call: Call, args: unknown): Promise<object | Questions | Content>;
  /** Content blocks besides the JSON text, such as a resource link, made from the structured answer. */
  links?(answer: object): object[];
  /** The URI of the resource that shows its answers to the person (`ui://…`), in hosts with the extension UI. */
  view?: string;
  /** The task that goes on with the work after an answer, for clients that follow tasks; undefined if it is done. */
  taskOf?(answer: object): string | undefined;
}

/** A resource's content as text. */
export interface ResourceText {
  text: string;
  /** If it differs from the resource's own. */
  mimeType?: string;
  _meta?: object;
}

/** A resource's content: text, or bytes as base64. */
export type ResourceContent = ResourceText | { blob: string; mimeType?: string };

export interface Resource extends Offered {
  uri: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** The content may exceed one answer: the URI in `next`, with `?offset=`, reads on. */
  paged?: true;
  /** Only read by its URI, which a tool names. */
  unlisted?: true;
  read(call: Call, offset: number): Promise<ResourceContent>;
}

/** Matching values: all of them, or the first ones of an unknown number. */
export type Completion = string[] | { first: string[] };

export interface ResourceTemplate extends Offered {
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType: string;
  /** Returns the variables of a URI; undefined if it does not match the template. */
  match(uri: string): Record<string, string> | undefined;
  /** Returns the id of the lead that a URI is about, if events of that lead tell when it changes. */
  leadOf?(variables: Record<string, string>): string | undefined;
  /** Undefined if there is no such resource (-32602 with the URI). */
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

/** The tasks of a registry. Their ids come from the answers of tools (`Tool.taskOf`). */
export interface Tasks {
  /** Undefined if there is no such task. */
  get(call: Call, id: string): Promise<Task | undefined>;
  /** Asks it to stop, unless it has ended; false if there is no such task. */
  cancel(call: Call, id: string): Promise<boolean>;
}

/** Everything that a server offers; one dispatcher serves any registry. */
export interface Registry {
  tools: readonly Tool[];
  resources: readonly Resource[];
  templates: readonly ResourceTemplate[];
  prompts: readonly Prompt[];
  /** What tools left to do, if any of them does (`Tool.taskOf`). */
  tasks?: Tasks;
  server: { name: string; title: string; version: string };
  /** Further members of the server's Implementation, where it introduces itself at this URL. */
  presentedAt?(authUrl: string): object;
  instructions: string;
  /**
   * Which tools are listed, by the name of a set (`/mcp?tools=<set>`): `default` without one. All tools can be called by
   * clients that name no set.
   */
  sets?: Readonly<Record<string, readonly string[]>>;
}
