import { readFileSync } from "node:fs";

/** How the main thread of a process spent some time, in shares of it. */
export interface ProcessorShare {
  running: number;
  /** Ready to run while others had the processors: a high share means that the figures are about them. */
  waiting: number;
}

/** Starts to watch the main thread of a process (Linux); returns a function that says how it spent the time since then. */
export function watchProcessor(pid: number): () => ProcessorShare {
  const read = () => readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ").map(Number);
  const [ran = 0, waited = 0] = read();
  const began = performance.now();
  return () => {
    const [running = 0, waiting = 0] = read();
    const elapsed = (performance.now() - began) * 1e6;
    return { running: (running - ran) / elapsed, waiting: (waiting - waited) / elapsed };
  };
}
