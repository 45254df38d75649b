/** A tool as a host offers it to its model. */
export interface Offered {
  name: string;
  /** Its whole declaration as JSON, as it was sent. */
  json: string;
  /** The group that it is declared in, where the API has groups. */
  namespace?: string;
}

/** A call that the scripted model makes. */
export interface ModelCall {
  name: string;
  args: object;
  namespace?: string;
}

/** The body of a request to a model; each API uses some of these members. */
export interface ModelRequest {
  stream?: boolean;
  tools?: Declaration[];
  messages?: unknown[];
  input?: unknown[];
  contents?: unknown[];
}

/** A declared tool, or a group of them. */
export interface Declaration {
  name?: string;
  type?: string;
  function?: { name: string };
  functionDeclarations?: { name: string }[];
  tools?: { name: string }[];
}

/** The API of one vendor's models: what it answers to a request. */
export interface Dialect {
  /** The paths that it answers. */
  path: RegExp;
  /** Returns the answer with this call, or with a text if there is none: the media type and the body. */
  answer(request: ModelRequest, path: string, call: ModelCall | undefined): { type: string; body: string };
}

export const TEXT = "Done.";
export const EVENTS = "text/event-stream";
export const JSON_TYPE = "application/json";

/** Returns events of a stream without names. */
export const events = (values: readonly object[]): string =>
  values.map((value) => `data: ${JSON.stringify(value)}\n\n`).join("");

/** Returns events of a stream, each named by its `type`. */
export const namedEvents = (values: readonly { type: string }[]): string =>
  values.map((value) => `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`).join("");

/** Returns an id of a call that no other call of this process has. */
export const callId = (): string => `call_${crypto.randomUUID().replaceAll("-", "")}`;
