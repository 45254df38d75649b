import prometheus, { type Registry } from "prom-client";
import type { Admission } from "./admission.ts";

/** Shows what an admission does among the metrics; of several in a process, the last one. */
export function showAdmission(registry: Registry, admission: Admission): void {
  const show = (
    name: string,
    help: string,
    read: (gauge: prometheus.Gauge) => void,
    labelNames: string[] = [],
  ) => {
    registry.removeSingleMetric(name);
    const gauge: prometheus.Gauge = new prometheus.Gauge({
      ...{ name, help, labelNames },
      registers: [registry],
      collect: () => read(gauge),
    });
  };
  show("leadgate_requests_in_flight", "Requests being handled", (gauge) => gauge.set(admission.state.inside));
  show("leadgate_requests_waiting", "Requests waiting for a slot", (gauge) =>
    gauge.set(admission.state.waiting),
  );
  const counts = (gauge: prometheus.Gauge) => {
    for (const [reason, count] of Object.entries(admission.shed)) gauge.set({ reason }, count);
  };
  show("leadgate_requests_shed_total", "Requests refused because of overload", counts, ["reason"]);
}
