import { classOf, KIND, type Kind, Span, type Value, type WholeTrace } from "./span.ts";
import type { TraceParent } from "./trace-parent.ts";
import { traceParentOf } from "./trace-parent.ts";

/** More statements than this say no more about a request; they are counted. */
const MOST_SPANS = 128;

/** What decides whether a trace is exported, and takes its spans. */
export interface Sink {
  /** Whether the trace, which has ended, is exported. */
  wants(trace: Trace, outcome: Outcome): boolean;
  take(spans: readonly Span[]): void;
  /** A caller's credential was accepted. */
  admitted(trace: Trace): void;
  /** Whether `traceparent` is passed on. */
  readonly propagates: boolean;
}

/** How the root of a trace went. */
export interface Outcome {
  /** The class of the error, if it failed. */
  failed?: string | undefined;
  /** Whether it may take long, as a stream does, so that its duration says nothing. */
  long?: boolean;
}

export interface TraceStart {
  name: string;
  kind: Kind;
  id: string;
  sampled: boolean;
  /** The span that this trace continues. */
  parent?: TraceParent | undefined;
  /** The span of another trace that caused this one. */
  link?: TraceParent | undefined;
  /** Milliseconds to add to `performance.now()` for the time since 1970. */
  offset: number;
}

/** What one request or job of this process did: its root span and those within. All are recorded; the end decides about the export. */
export class Trace implements WholeTrace {
  readonly id: string;
  readonly parent: TraceParent | undefined;
  readonly link: TraceParent | undefined;
  readonly offset: number;
  readonly root: Span;
  /** Whether the sampler has chosen it. */
  sampled: boolean;
  /** Whether a caller's credential was accepted. */
  admitted = false;
  #hasCaller = false;
  /** Whether it is exported; undefined until its root has ended. */
  exported: boolean | undefined = undefined;
  /** How many spans were not recorded, because there were too many. */
  dropped = 0;
  readonly #sink: Sink;
  readonly #spans: Span[] = [];
  /** The span of the door while the caller stands before it. */
  #door: Span | undefined;
  #waited = false;

  constructor(sink: Sink, start: TraceStart) {
    this.#sink = sink;
    this.id = start.id;
    this.sampled = start.sampled;
    this.parent = start.parent;
    this.link = start.link;
    this.offset = start.offset;
    this.root = new Span(this, start.name, start.kind, undefined);
  }

  /** Starts a span within this one, which by default is the root; undefined if there are too many. */
  start(name: string, kind: Kind = KIND.internal, parent: Span = this.root): Span | undefined {
    if (this.#spans.length >= MOST_SPANS || (this.exported === false && this.root.end !== 0)) {
      this.dropped += 1;
      return undefined;
    }
    return new Span(this, name, kind, parent);
  }

  statement(text: string, lane: string, parent: Span = this.root): Span | undefined {
    const span = this.start("", KIND.client, parent);
    if (span === undefined) return undefined;
    span.text = text;
    span.set("leadgate.lane", lane);
    return span;
  }

  /** Who calls; the id is that of a key or a person. */
  identify(projectId: string, kind: string, id: string | undefined): void {
    if (this.#hasCaller) return;
    this.#hasCaller = true;
    this.arrive();
    this.root.set("leadgate.project.id", projectId);
    this.root.set("leadgate.credential.kind", kind);
    if (id !== undefined) this.root.set("leadgate.credential.id", id);
  }

  /** The caller has arrived at the door. */
  arrive(): void {
    this.#door ??= this.start("door");
  }

  /** The caller waited this long for a slot of the process, in milliseconds. */
  waited(ms: number): void {
    this.#waited = true;
    this.#door?.set("leadgate.door.wait_ms", rounded(ms));
  }

  /** The door has admitted the caller: rate check, credential and permission have passed. */
  admit(): void {
    if (this.admitted || !this.#hasCaller) return;
    this.admitted = true;
    this.#sink.admitted(this);
    this.#door?.finish();
  }

  /** The caller is refused with this code. */
  refuse(code: string): void {
    this.root.set("leadgate.refusal", code);
    this.#door?.fail({ code });
  }

  finished(span: Span): void {
    if (this.root.end === 0) this.#spans.push(span);
    // What ends behind the answer, such as a mail.
    else if (span !== this.root && this.exported === true) this.#sink.take([span]);
  }

  /** Ends the trace. Returns whether it is exported. */
  end(outcome: Outcome = {}): boolean {
    if (this.exported !== undefined) return this.exported;
    if (this.#door?.end === 0 && this.#waited) this.#door.finish();
    this.root.error = outcome.failed ?? this.root.error;
    this.root.finish();
    this.exported = this.#sink.wants(this, { ...outcome, failed: this.root.error });
    if (!this.exported) return false;
    if (this.dropped > 0) this.root.set("leadgate.spans.dropped", this.dropped);
    this.#sink.take([this.root, ...this.#spans]);
    return true;
  }

  /** Ends the trace with the promise of its work. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    try {
      const value = await work();
      this.end();
      return value;
    } catch (error) {
      this.end({ failed: classOf(error) });
      throw error;
    }
  }

  set(name: string, value: Value): void {
    this.root.set(name, value);
  }

  headers(span: Span = this.root): Record<string, string> {
    if (!this.#sink.propagates) return {};
    const state = this.parent?.state ?? "";
    return {
      traceparent: traceParentOf(this.id, span.id, this.sampled),
      ...(state === "" ? {} : { tracestate: state }),
    };
  }
}

/** Tenths of a millisecond are enough for a wait. */
export const rounded = (ms: number): number => Math.round(ms * 10) / 10;
