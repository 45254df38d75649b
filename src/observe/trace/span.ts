import { newSpanId } from "./ids.ts";
import type { TraceParent } from "./trace-parent.ts";

/** The kinds of spans, as OTLP numbers them. */
export const KIND = { internal: 1, server: 2, client: 3, producer: 4, consumer: 5 } as const;

export type Kind = (typeof KIND)[keyof typeof KIND];
export type Value = string | number | boolean;

/** What a span knows of its trace. */
export interface WholeTrace {
  /** 16 bytes in hex. */
  readonly id: string;
  /** The span that the trace continues. */
  readonly parent: TraceParent | undefined;
  /** The span of another trace that caused this one. */
  readonly link: TraceParent | undefined;
  /** Milliseconds to add to `performance.now()` for the time since 1970. */
  readonly offset: number;
  /** A span of this trace has ended. */
  finished(span: Span): void;
  /** Starts the span of a statement, which ends with its answer; undefined if there are too many. */
  statement(text: string, lane: string, parent?: Span): Span | undefined;
  /** The headers of a call that is made within a span, by which its receiver continues the trace. */
  headers(span?: Span): Record<string, string>;
}

/**
 * One piece of work with a start and an end. It is recorded for every request, so it keeps what it is given and computes
 * nothing: ids, names and attributes are made when it is exported.
 */
export class Span {
  readonly trace: WholeTrace;
  name: string;
  readonly kind: Kind;
  readonly parent: Span | undefined;
  /** Milliseconds of `performance.now()`. */
  start: number;
  /** 0 while it runs. */
  end = 0;
  /** Names and values in turn. */
  attributes: Value[] | undefined = undefined;
  /** The class of its error, if it failed; never a message, which may contain data. */
  error: string | undefined = undefined;
  /** The SQL of a statement. */
  text: string | undefined = undefined;
  /** When a statement got its connection; 0 if it got none. */
  takenAt = 0;
  #id: string | undefined = undefined;

  constructor(trace: WholeTrace, name: string, kind: Kind, parent: Span | undefined) {
    this.trace = trace;
    this.name = name;
    this.kind = kind;
    this.parent = parent;
    this.start = performance.now();
  }

  /** 8 bytes in hex. */
  get id(): string {
    this.#id ??= newSpanId();
    return this.#id;
  }

  set(name: string, value: Value): void {
    if (this.attributes === undefined) this.attributes = [name, value];
    else this.attributes.push(name, value);
  }

  finish(): void {
    if (this.end !== 0) return;
    this.end = performance.now();
    this.trace.finished(this);
  }

  /** Ends it, as failed if there is an error. */
  endWith(error: Error | undefined): void {
    if (error === undefined) this.finish();
    else this.fail(error);
  }

  fail(error: unknown): void {
    if (this.end !== 0) return;
    this.error = classOf(error);
    this.finish();
  }
}

/** The code of an error (SQLSTATE, ECONNREFUSED, a refusal's), or else its name. */
export function classOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const text = typeof code === "string" ? code : typeof name === "string" ? name : "Error";
  return /^[\w.-]{1,60}$/.test(text) ? text : "Error";
}

/** Returns the promise, and ends the span with it. */
export function during<T>(span: Span | undefined, work: Promise<T>): Promise<T> {
  if (span === undefined) return work;
  return work.then(
    (value) => {
      span.finish();
      return value;
    },
    (error: unknown) => {
      span.fail(error);
      throw error;
    },
  );
}
