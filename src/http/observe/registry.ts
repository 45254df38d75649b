import prometheus from "prom-client";

/** The metrics of this process. */
export const registry = new prometheus.Registry();
prometheus.collectDefaultMetrics({ register: registry });
