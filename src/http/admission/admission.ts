import type { AdmissionSettings } from "../../core/admission.ts";
import { Lanes, type Leave, NoSlotError } from "../../core/lanes.ts";
import { LoopDelay } from "./loop-delay.ts";

/** Why a request is refused: its owner's queue is full or has no end in sight, or the event loop is late. */
export type Shed = "queue" | "wait" | "loop";

/** A refusal of admission; `own` if the owner's own requests were in the way. */
export interface NotAdmitted {
  why: Shed;
  own: boolean;
}

const LANE = "request";
/** How many owners may have full queues. */
const FULL_QUEUES = 4;
/** How many requests of an owner wait once its queue is pressed: enough for slots never to be empty. */
const PRESSED = 16;
/** Owners with fewer requests are admitted while the event loop is late. */
const FEW = 2;

/** Bounds the requests in flight of a process, on all of its listeners together, fairly by owner. */
export class Admission {
  readonly #lanes: Lanes<typeof LANE>;
  readonly #loop: LoopDelay;
  readonly #settings: AdmissionSettings;
  readonly #waitingInAll: number;
  readonly shed: Record<Shed, number> = { queue: 0, wait: 0, loop: 0 };

  constructor(settings: AdmissionSettings) {
    const { inFlight: slots, perOwner, waiting, waitMs } = settings;
    this.#settings = settings;
    this.#waitingInAll = Math.max(waiting * FULL_QUEUES, 1);
    this.#lanes = new Lanes({
      lanes: { [LANE]: { slots, perOwner } },
      patienceMs: waitMs,
      pressedMs: Math.ceil(waitMs / 5),
      waiting,
      pressedWaiting: Math.min(waiting, PRESSED),
      waitingInAll: this.#waitingInAll,
    });
    this.#loop = new LoopDelay(settings.loopDelayMs);
  }

  /** How many requests are in flight, and how many wait. */
  get state(): { inside: number; waiting: number } {
    return this.#lanes.state(LANE);
  }

  /** Why a request that has only just arrived need not be read; undefined if it may go on. */
  refuses(owner: string): NotAdmitted | undefined {
    const { held, waiting } = this.#lanes.stateOf(LANE, owner);
    const allFull = this.state.waiting >= this.#waitingInAll;
    // Owners who have nothing in flight may wait even then, instead of the oldest of the longest queue.
    const isIdle = held + waiting === 0;
    const isFull = this.#settings.waiting === 0 || this.#lanes.isFull(LANE, owner) || (allFull && !isIdle);
    if (isFull && !this.#lanes.canEnter(LANE, owner)) {
      this.shed.queue += 1;
      return { why: "queue", own: this.#lanes.hasShare(LANE, owner) };
    }
    if (!this.#loop.isLate || (!allFull && held + waiting < FEW)) return undefined;
    this.shed.loop += 1;
    // What makes the loop late may be anything: only who waits for its own calls is told that they are in the way.
    return { why: "loop", own: waiting > 0 && this.#lanes.hasShare(LANE, owner) };
  }

  /** Takes a slot if there is one at once. */
  tryEnter(owner: string): Leave | undefined {
    return this.#lanes.tryEnter(LANE, owner);
  }

  /** Waits for a slot; returns why there was none in time. Throws the signal's reason. */
  async enter(owner: string, signal: AbortSignal): Promise<Leave | NotAdmitted> {
    try {
      return await this.#lanes.enter(LANE, owner, signal);
    } catch (error) {
      if (!(error instanceof NoSlotError)) throw error;
      this.shed.wait += 1;
      return { why: "wait", own: error.own };
    }
  }

  close(): void {
    this.#loop.close();
  }
}
