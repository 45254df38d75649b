import { readFileSync } from "node:fs";
import prometheus from "prom-client";
import type { Log } from "../../observe/log/slow-log.ts";
import { registry } from "./registry.ts";

const TICK_MS = 250;
/** A turn that is late by so much is worth a line. */
const LATE_MS = 500;
/** One line at most in this time, about all of it. */
const WINDOW_MS = 10_000;
/** A process that waits for a processor in so much of its time has too little of it. */
const MOST_WAITING = 0.4;
const NS_PER_MS = 1e6;

/** What Linux notes of the thread that runs the program, in milliseconds: on a processor, and ready but without one. */
interface Times {
  ran: number;
  waited: number;
}

/** Returns them; undefined on other systems. */
function times(): Times | undefined {
  try {
    const [ran = 0, waited = 0] = readFileSync("/proc/self/schedstat", "latin1").split(" ").map(Number);
    return { ran: ran / NS_PER_MS, waited: waited / NS_PER_MS };
  } catch {
    return undefined;
  }
}

if (times() !== undefined)
  new prometheus.Gauge({
    name: "leadgate_processor_wait_seconds_total",
    help: "Time that the program was ready to run and other programs had the processors",
    registers: [registry],
    collect() {
      this.set((times()?.waited ?? 0) / 1_000);
    },
  });

const since = (before: Times, now: Times): Times => ({
  ran: now.ran - before.ran,
  waited: now.waited - before.waited,
});

/** A time in which turns of the event loop were late, and what the program did meanwhile. */
interface Late extends Times {
  ms: number;
}

const BLOCKED = "the event loop was late: the program itself ran";
const STARVED = "the event loop was late: other programs had the processors";
const STILL =
  "the event loop was late: the process did not run, as if it was stopped or its memory was swapped";

/**
 * Warns, once in ten seconds at most, that the event loop was late, and whether the program itself ran meanwhile, had no
 * processor, or stood still. Returns a function that ends this.
 */
export function watchLoop(log: Pick<Log, "warn">, windowMs = WINDOW_MS): () => void {
  const none = { ran: 0, waited: 0 };
  let last = times() ?? none;
  let first = last;
  let begun = performance.now();
  let due = begun + TICK_MS;
  let longest: Late = { ms: 0, ...none };
  const timer = setInterval(() => {
    const now = performance.now();
    const current = times() ?? none;
    if (now - due > longest.ms) longest = { ms: now - due, ...since(last, current) };
    [last, due] = [current, now + TICK_MS];
    if (now - begun < windowMs) return;
    const whole = since(first, current);
    const isStarved = whole.waited >= MOST_WAITING * (now - begun);
    if (longest.ms >= LATE_MS || isStarved) {
      const { ms, ran, waited } = longest;
      const had = ran >= LATE_MS ? BLOCKED : waited >= ms / 2 ? STARVED : STILL;
      const late = { late_ms: ms, late_ran_ms: ran, late_waited_ms: waited };
      const all = { of_ms: now - begun, ran_ms: whole.ran, waited_ms: whole.waited };
      log.warn(rounded({ ...late, ...all }), longest.ms >= LATE_MS ? had : STARVED);
    }
    [first, begun, longest] = [current, now, { ms: 0, ...none }];
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}

const rounded = (members: Record<string, number>): object =>
  Object.fromEntries(Object.entries(members).map(([name, value]) => [name, Math.round(value)]));
