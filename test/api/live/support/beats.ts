const { setInterval } = globalThis;
const HEARTBEAT_MS = 15_000;

/** Streams that are opened until the returned value is disposed of send heartbeats after this time instead of each 15 s. */
export function beatEach(ms: number): Disposable {
  globalThis.setInterval = ((run: () => void, each: number) =>
    setInterval(run, each === HEARTBEAT_MS ? ms : each)) as typeof setInterval;
  return {
    [Symbol.dispose]: () => {
      globalThis.setInterval = setInterval;
    },
  };
}
