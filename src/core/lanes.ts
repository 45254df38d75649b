import type { LanesOptions } from "./lanes-options.ts";

/** Frees the slot; further calls do nothing. */
export type Leave = () => void;

/** No slot was free in time. */
export class NoSlotError extends Error {
  override readonly name = "NoSlotError";
  /** Whether the owner already held its fair share of the slots, so that it waited for its own work. */
  readonly own: boolean;

  constructor(own: boolean) {
    super("no slot was free in time");
    this.own = own;
  }
}

const FEW = 2;

interface Waiting {
  at: number;
  resolve(leave: Leave): void;
  reject(error: Error): void;
  timer: NodeJS.Timeout | undefined;
}

/** An owner's slots and waiting requests in a lane. */
interface Standing {
  held: number;
  waiting: Waiting[];
  /** Since when the oldest waiting request has always waited long; undefined if it has not. */
  lateSince: number | undefined;
  pressed: boolean;
  /** The number of slots that had been given when the owner was last served. */
  servedAt: number;
}

/**
 * Slots for work, such as connections, that owners share fairly. A free slot goes to the first who asks, so one owner
 * alone may have all of them. If owners are waiting, a free slot goes to the one that holds the fewest, and among those
 * to the one that was served longest ago. Waiting is limited by controlled delay with adaptive LIFO (Maurer, "Fail at
 * Scale", ACM Queue 13 (8), 2015): a queue that moves is served in order, with a long timeout; one in which
 * requests have waited long for a while is served newest first, with a short one, because callers give up old requests.
 */
export class Lanes<Lane extends string> {
  #options: LanesOptions<Lane>;
  /** The lanes, the one that was served longest ago first. */
  readonly #order: Lane[];
  readonly #inside: Record<Lane, number>;
  readonly #standings: Record<Lane, Map<string, Standing>>;
  readonly #waiting: Record<Lane, Set<string>>;
  readonly #queued: Record<Lane, number>;
  #given = 0;

  constructor(options: LanesOptions<Lane>) {
    this.#options = options;
    this.#order = Object.keys(options.lanes) as Lane[];
    const each = <T>(make: () => T) =>
      Object.fromEntries(this.#order.map((lane) => [lane, make()])) as Record<Lane, T>;
    this.#inside = each(() => 0);
    this.#standings = each(() => new Map());
    this.#waiting = each(() => new Set());
    this.#queued = each(() => 0);
  }

  /** Returns how many slots of a lane are taken and how many requests wait for one. */
  state(lane: Lane): { inside: number; waiting: number } {
    return { inside: this.#inside[lane], waiting: this.#queued[lane] };
  }

  /** How many requests wait in all lanes. */
  get waiting(): number {
    return this.#order.reduce((sum, lane) => sum + this.#queued[lane], 0);
  }

  /** Returns how many slots of a lane an owner holds and how many of its requests wait. */
  stateOf(lane: Lane, owner: string): { held: number; waiting: number } {
    const standing = this.#standings[lane].get(owner);
    return { held: standing?.held ?? 0, waiting: standing?.waiting.length ?? 0 };
  }

  /**
   * Whether an owner holds its fair share of a lane, so that what it asks for beyond waits for its own work. Two slots are no
   * more than fair: who makes two calls at once is not in its own way because the others have the rest.
   */
  hasShare(lane: Lane, owner: string): boolean {
    const { slots, perOwner = slots } = this.#options.lanes[lane];
    const owners = new Set([...this.#waiting[lane], ...this.#holdersOf(lane), owner]).size;
    const share = Math.min(perOwner, Math.max(FEW, Math.floor(this.#inside[lane] / owners)));
    return this.stateOf(lane, owner).held >= share;
  }

  /** Whether the owner would get a slot at once. */
  canEnter(lane: Lane, owner: string): boolean {
    // If requests of this owner wait although a slot is free, the owner's own bound keeps them waiting.
    return this.stateOf(lane, owner).waiting === 0 && this.#fits(lane, owner);
  }

  /** Whether as many requests of the owner wait as may. */
  isFull(lane: Lane, owner: string): boolean {
    const standing = this.#standings[lane].get(owner);
    return standing !== undefined && standing.waiting.length >= this.#mostOf(standing);
  }

  /** Changes the numbers of slots; where fewer are left than are taken, they become free first. */
  resize(options: LanesOptions<Lane>): void {
    this.#options = options;
    this.#serve();
  }

  /** Rejects all that wait for a slot. */
  rejectAll(error: Error): void {
    for (const lane of this.#order)
      for (const owner of [...this.#waiting[lane]])
        for (const waiting of [...this.#standingOf(lane, owner).waiting])
          this.#remove(lane, owner, waiting, error);
  }

  /** Takes a slot if the owner can have one at once. */
  tryEnter(lane: Lane, owner: string): Leave | undefined {
    return this.canEnter(lane, owner) ? this.#give(lane, owner) : undefined;
  }

  /** Takes a slot as soon as one is free. Throws NoSlotError after the timeout, or the signal's reason. */
  async enter(lane: Lane, owner: string, signal?: AbortSignal): Promise<Leave> {
    signal?.throwIfAborted();
    const leave = this.tryEnter(lane, owner);
    if (leave !== undefined) return leave;
    const standing = this.#standingOf(lane, owner);
    const { promise, resolve, reject } = Promise.withResolvers<Leave>();
    const waiting: Waiting = { at: performance.now(), resolve, reject, timer: undefined };
    const patience = standing.pressed ? this.#options.pressedMs : this.#options.patienceMs;
    waiting.timer = setTimeout(() => this.#giveUp(lane, owner, waiting), patience);
    standing.waiting.push(waiting);
    this.#waiting[lane].add(owner);
    this.#queued[lane] += 1;
    const { waitingInAll = Number.POSITIVE_INFINITY } = this.#options;
    if (standing.waiting.length > this.#mostOf(standing)) this.#giveUpOldest(lane, owner);
    else if (this.#queued[lane] > waitingInAll) this.#giveUpOldest(lane, this.#longestQueueOf(lane));
    if (signal === undefined) return await promise;
    const abort = () => this.#remove(lane, owner, waiting, signal.reason as Error);
    signal.addEventListener("abort", abort, { once: true });
    return await promise.finally(() => signal.removeEventListener("abort", abort));
  }

  #fits(lane: Lane, owner: string): boolean {
    const { slots, perOwner } = this.#options.lanes[lane];
    if (this.#inside[lane] >= slots) return false;
    if (perOwner !== undefined && (this.#standings[lane].get(owner)?.held ?? 0) >= perOwner) return false;
    return (this.#options.shared ?? []).every(
      (bound) => !bound.lanes.includes(lane) || this.#sumOf(bound.lanes) < bound.slots,
    );
  }

  #sumOf(lanes: readonly Lane[]): number {
    let sum = 0;
    for (const lane of lanes) sum += this.#inside[lane];
    return sum;
  }

  #give(lane: Lane, owner: string): Leave {
    const standing = this.#standingOf(lane, owner);
    standing.held += 1;
    this.#given += 1;
    standing.servedAt = this.#given;
    this.#inside[lane] += 1;
    let inside = true;
    return () => {
      if (!inside) return;
      inside = false;
      standing.held -= 1;
      this.#inside[lane] -= 1;
      this.#forget(lane, owner, standing);
      this.#serve();
    };
  }

  /** Gives free slots to waiting owners. */
  #serve(): void {
    while (this.#serveOne());
  }

  /** Serves the lane that was served longest ago, of those where an owner can enter; false if there is none. */
  #serveOne(): boolean {
    for (const lane of this.#order) {
      const owner = this.#waiting[lane].size === 0 ? undefined : this.#nextOf(lane);
      if (owner === undefined) continue;
      const standing = this.#standingOf(lane, owner);
      this.#noteDelay(standing);
      while (standing.waiting.length > this.#mostOf(standing)) this.#giveUpOldest(lane, owner);
      const next = standing.pressed ? standing.waiting.pop() : standing.waiting.shift();
      if (next === undefined) continue;
      this.#queued[lane] -= 1;
      clearTimeout(next.timer);
      if (standing.waiting.length === 0) this.#emptied(lane, owner, standing);
      next.resolve(this.#give(lane, owner));
      this.#order.splice(this.#order.indexOf(lane), 1);
      this.#order.push(lane);
      return true;
    }
    return false;
  }

  /** The owner that is next in a lane; undefined if none is waiting or none may enter. */
  #nextOf(lane: Lane): string | undefined {
    let next: { owner: string; standing: Standing } | undefined;
    for (const owner of this.#waiting[lane]) {
      const standing = this.#standingOf(lane, owner);
      const isEarlier =
        next === undefined ||
        standing.held < next.standing.held ||
        (standing.held === next.standing.held && standing.servedAt < next.standing.servedAt);
      if (isEarlier && this.#fits(lane, owner)) next = { owner, standing };
    }
    return next?.owner;
  }

  #giveUp(lane: Lane, owner: string, waiting: Waiting): void {
    this.#remove(lane, owner, waiting, new NoSlotError(this.hasShare(lane, owner)));
  }

  #giveUpOldest(lane: Lane, owner: string): void {
    const [oldest] = this.#standingOf(lane, owner).waiting;
    if (oldest !== undefined) this.#giveUp(lane, owner, oldest);
  }

  #longestQueueOf(lane: Lane): string {
    let longest = { owner: "", length: 0 };
    for (const owner of this.#waiting[lane]) {
      const { length } = this.#standingOf(lane, owner).waiting;
      if (length > longest.length) longest = { owner, length };
    }
    return longest.owner;
  }

  #remove(lane: Lane, owner: string, waiting: Waiting, error: Error): void {
    const standing = this.#standingOf(lane, owner);
    const at = standing.waiting.indexOf(waiting);
    if (at < 0) return;
    standing.waiting.splice(at, 1);
    this.#queued[lane] -= 1;
    clearTimeout(waiting.timer);
    if (standing.waiting.length === 0) this.#emptied(lane, owner, standing);
    waiting.reject(error);
  }

  #holdersOf(lane: Lane): string[] {
    return [...this.#standings[lane]].filter(([, { held }]) => held > 0).map(([owner]) => owner);
  }

  #mostOf({ pressed }: Standing): number {
    const { waiting, pressedWaiting = waiting } = this.#options;
    return pressed ? pressedWaiting : waiting;
  }

  /** A queue whose oldest request has waited long for a while is pressed until it is empty. */
  #noteDelay(standing: Standing): void {
    if (standing.pressed) return;
    const { patienceMs, pressedMs } = this.#options;
    const now = performance.now();
    const delay = now - (standing.waiting[0]?.at ?? now);
    if (delay < pressedMs / 2) standing.lateSince = undefined;
    else standing.lateSince ??= now;
    standing.pressed = standing.lateSince !== undefined && now - standing.lateSince >= patienceMs;
  }

  #emptied(lane: Lane, owner: string, standing: Standing): void {
    standing.lateSince = undefined;
    standing.pressed = false;
    this.#waiting[lane].delete(owner);
    this.#forget(lane, owner, standing);
  }

  #standingOf(lane: Lane, owner: string): Standing {
    const known = this.#standings[lane].get(owner);
    if (known !== undefined) return known;
    const fresh = { held: 0, waiting: [], lateSince: undefined, pressed: false, servedAt: 0 };
    this.#standings[lane].set(owner, fresh);
    return fresh;
  }

  #forget(lane: Lane, owner: string, { held, waiting }: Standing): void {
    if (held === 0 && waiting.length === 0) this.#standings[lane].delete(owner);
  }
}
