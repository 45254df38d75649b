/** How many requests a process handles at once. */
export interface AdmissionSettings {
  /** Requests in flight on both listeners together. */
  inFlight: number;
  /** How many of them one owner may have: a project, a person or an address. */
  perOwner: number;
  /** How many requests of one owner may wait for a slot. */
  waiting: number;
  /** Milliseconds that a request waits at most. */
  waitMs: number;
  /** The event loop's delay in milliseconds from which on owners get only one request at a time. */
  loopDelayMs: number;
}
