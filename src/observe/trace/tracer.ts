import type { Logger } from "pino";
import type { TraceSettings } from "../../config/read-traces.ts";
import { Exporter } from "./exporter.ts";
import { includes, newTraceId } from "./ids.ts";
import { KIND, type Kind, type Span } from "./span.ts";
import { type Outcome, type Sink, Trace } from "./trace.ts";
import type { TraceParent } from "./trace-parent.ts";

/** How many traces of a second are exported because their callers sample them. */
const HONOURED = 10;
/** A clock that was set is followed from this difference on, in milliseconds. */
const CLOCK_MS = 5;

/** Starts traces, decides which are exported, and exports them. */
export class Tracer implements Sink {
  readonly propagates: boolean;
  readonly #settings: TraceSettings;
  readonly #exporter: Exporter;
  #offset = performance.timeOrigin;
  #clockAt = 0;
  #honoured = { second: 0, count: 0 };

  constructor(settings: TraceSettings, version: string, log: Logger) {
    const resource = { ...settings.resource };
    resource["service.version"] ??= version;
    resource["telemetry.sdk.version"] = version;
    this.#settings = settings;
    this.propagates = settings.propagates;
    this.#exporter = new Exporter(settings, { resource, scope: { name: "leadgate", version } }, log);
    for (const warning of settings.warnings) log.warn(warning);
  }

  get figures(): Readonly<Exporter["figures"]> {
    return this.#exporter.figures;
  }

  /** Starts the trace of a request, which continues its caller's. */
  request(parent: TraceParent | undefined): Trace {
    const id = parent?.traceId ?? newTraceId();
    const sampled = this.#samples(id, parent);
    return new Trace(this, { name: "request", kind: KIND.server, id, sampled, parent, offset: this.#now() });
  }

  /** Starts the trace of work of our own. `cause`, if it was sampled, is continued, or else linked. */
  work(name: string, kind: Kind = KIND.internal, cause?: TraceParent): Trace {
    const isContinued = cause?.sampled === true;
    const id = isContinued ? cause.traceId : newTraceId();
    return new Trace(this, {
      ...{ name, kind, id, offset: this.#now() },
      sampled: isContinued || includes(this.#settings.sampler.ratio, id),
      ...(isContinued ? { parent: cause } : { link: cause }),
    });
  }

  /** The caller's credential was accepted, so that its sampling decision counts, unless that are too many. */
  admitted(trace: Trace): void {
    if (trace.sampled || trace.parent?.sampled !== true || !this.#settings.sampler.byParent) return;
    if (trace.root.kind !== KIND.server) return;
    const second = Math.floor(performance.now() / 1_000);
    if (this.#honoured.second !== second) this.#honoured = { second, count: 0 };
    if (this.#honoured.count >= HONOURED) return;
    this.#honoured.count += 1;
    trace.sampled = true;
  }

  wants(trace: Trace, { failed, long = false }: Outcome): boolean {
    const { slowMs, failed: exportsFailed } = this.#settings;
    if (trace.sampled) return true;
    if (failed !== undefined && exportsFailed) return true;
    return !long && slowMs !== undefined && trace.root.end - trace.root.start >= slowMs;
  }

  take(spans: readonly Span[]): void {
    this.#exporter.take(spans);
  }

  /** Sends what waits, for two seconds at most. */
  async close(): Promise<void> {
    await this.#exporter.close();
  }

  /** A caller chooses its trace's id, which must not decide; its own decision counts once it is admitted. */
  #samples(id: string, parent: TraceParent | undefined): boolean {
    const { ratio, byParent } = this.#settings.sampler;
    if (parent === undefined) return includes(ratio, id);
    return byParent && !parent.sampled ? false : Math.random() < ratio;
  }

  /** What makes a time of `performance.now()` one of the wall clock. */
  #now(): number {
    const now = performance.now();
    if (now - this.#clockAt > 1_000) {
      this.#clockAt = now;
      const offset = Date.now() - now;
      if (Math.abs(offset - this.#offset) > CLOCK_MS) this.#offset = offset;
    }
    return this.#offset;
  }
}
