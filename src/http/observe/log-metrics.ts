import prometheus from "prom-client";
import { standardError } from "../../observe/log/log-writer.ts";
import { registry } from "./registry.ts";

const registers = [registry];
const FAULTS = ["full", "unread", "other"] as const;

new prometheus.Gauge({
  name: "leadgate_log_blocked",
  help: "1 if the log cannot be written: its disk is full, nobody reads it, or something else",
  labelNames: ["fault"],
  registers,
  collect() {
    for (const fault of FAULTS) this.set({ fault }, standardError.fault === fault ? 1 : 0);
  },
});
new prometheus.Gauge({
  name: "leadgate_log_waiting_bytes",
  help: "Text of the log that waits to be written",
  registers,
  collect() {
    this.set(standardError.waiting);
  },
});
new prometheus.Gauge({
  name: "leadgate_log_left_out_total",
  help: "Lines of the log that were left out, because too much waited to be written",
  registers,
  collect() {
    this.set(standardError.leftOut);
  },
});
