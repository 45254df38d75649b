import prometheus, { type Registry } from "prom-client";
import type { Tracer } from "../../observe/trace/tracer.ts";

/** Adds how many spans were sent to the collector and how many were dropped. */
export function addTraceMetrics(registry: Registry, tracer: Tracer): void {
  const counters: [name: string, help: string, read: () => number][] = [
    [
      "leadgate_trace_spans_exported_total",
      "Spans that the collector of traces took",
      () => tracer.figures.exported,
    ],
    [
      "leadgate_trace_spans_dropped_total",
      "Spans that were dropped because the collector was away or the queue was full",
      () => tracer.figures.dropped,
    ],
  ];
  for (const [name, help, read] of counters) {
    if (registry.getSingleMetric(name) !== undefined) return;
    let counted = 0;
    new prometheus.Counter({
      ...{ name, help, registers: [registry] },
      collect() {
        this.inc(read() - counted);
        counted = read();
      },
    });
  }
}
