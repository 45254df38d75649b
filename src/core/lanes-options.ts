/** How many slots a lane has, and how many of them one owner may hold. */
interface LaneSize {
  slots: number;
  perOwner?: number;
}

/** A limit on the slots that several lanes use together. */
interface SharedBound<Lane extends string> {
  lanes: readonly Lane[];
  slots: number;
}

export interface LanesOptions<Lane extends string> {
  /** If several lanes wait for one slot, they take turns. */
  lanes: Readonly<Record<Lane, LaneSize>>;
  shared?: readonly SharedBound<Lane>[];
  /** The timeout for a slot in milliseconds, unless the owner's queue has been pressed for as long. */
  patienceMs: number;
  /** The timeout of a pressed queue: its oldest request waited at least half as long for `patienceMs`; until it is empty. */
  pressedMs: number;
  /** How many requests of one owner may wait in a lane; beyond that, the oldest is rejected. */
  waiting: number;
  /** The same of a pressed queue; without it, as many. */
  pressedWaiting?: number;
  /** How many requests may wait in a lane in all; beyond that, the oldest of the longest queue is rejected. */
  waitingInAll?: number;
}
