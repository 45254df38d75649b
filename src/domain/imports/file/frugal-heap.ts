import { getHeapSpaceStatistics, setFlagsFromString } from "node:v8";

/** Both halves of the space for new objects: enough that a batch's rows die in it. */
const ENOUGH_NEW = 32 * 1_048_576;

let running = 0;

/**
 * Keeps V8 from growing while something makes much garbage for long. Where memory is plenty it would let the old objects
 * grow fourfold before it looks at them, and the space for new ones to 128 MB: 200 MB during an import. Outside of such
 * work that is a good bargain, as calls are a tenth cheaper. Ends when it is disposed of.
 */
export function frugalHeap(): Disposable & { mind(): void } {
  let times = 0;
  running += 1;
  return {
    /** To be called before every 1,000 rows or so; from the second time on the work counts as long. */
    mind() {
      times += 1;
      if (newSpace() >= ENOUGH_NEW) setFlagsFromString("--semi-space-growth-factor=1");
      if (times !== 2) return;
      // What is in use may grow by this much, in percent, before V8 looks again; it decides so when it has looked.
      setFlagsFromString("--heap-growing-percent=25");
      collect();
    },
    [Symbol.dispose]() {
      running -= 1;
      if (running > 0) return;
      setFlagsFromString("--semi-space-growth-factor=2");
      setFlagsFromString("--heap-growing-percent=0");
    },
  };
}

const newSpace = (): number =>
  getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0;

/**
 * Has V8 look for garbage, beside the work: it begins to when buffers outside of the heap have grown by 64 MB, and pauses
 * for a few milliseconds as it ends. Asked outright it would stop everything for the whole of it. The buffers are dead at
 * once, and none of their pages is ever touched.
 */
function collect(): void {
  for (let i = 0; i < 3; i += 1) new ArrayBuffer(32 * 1_048_576);
}
