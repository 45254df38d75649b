import { setTimeout as sleep } from "node:timers/promises";
import type { Logger } from "pino";
import type { Permission } from "../../core/permission.ts";
import type { Database } from "../../db/pool/database.ts";
import { KIND } from "../../observe/trace/span.ts";
import type { Tracer } from "../../observe/trace/tracer.ts";
import type { Credential } from "../tenancy/credential.ts";
import { type CommittedEvent, readCommitted } from "../tenancy/live-events.ts";
import { readPresence } from "../tenancy/live-presence.ts";
import { readStandings } from "../tenancy/live-standing.ts";
import { type FeedPosition, isAfter, LAST_ID } from "./feed-position.ts";
import { StreamSlots } from "./stream-slots.ts";

const POLL_MS = 100;
const CHECK_MS = 1_000;
/** Streams end within two seconds after their credentials, also while polls fail. */
const LONGEST_PAUSE_MS = 1_000;
/** The most events of a project in one poll; more of them follow at once. */
const MOST_EVENTS = 500;
/** The most streams of events of the process, and of one credential. */
const MOST_STREAMS = 1_000;
const MOST_OF_ONE = 20;

/** Why the hub ends a reader: a restored backup makes its cursors invalid, or the process stops. */
export type EndedBy = "restored" | "draining";

/** Who has which leads of a project open, as a JSON text. All readers receive one object, and may share what they make of it. */
export interface Viewers {
  readonly json: string;
}

/** Someone who follows a project while a connection is open. Its methods must not throw. */
export interface LiveReader {
  readonly credential: Credential;
  /** The epoch of the positions that the reader has, if it has any: it never receives one of another epoch. */
  readonly epoch?: string;
  /** Receives what was committed since the last call, in the feed's order; once at first, even if that is nothing. */
  committed(events: readonly CommittedEvent[]): void;
  /** Receives about once a second what the credential allows now; undefined if it is not valid any more. */
  standing(permissions: readonly Permission[] | undefined): void;
  /** The reader leaves. */
  ended(by: EndedBy): void;
  /** For people: receives about once a second who has which leads of the project open. */
  viewing?(viewers: Viewers): void;
}

/** A reader's seat at the hub. */
export interface LiveSeat {
  /**
   * Starts to receive events, and returns the position behind which they come: `from`, or further on if others read the
   * project already; undefined if neither is known, which means the feed's end at the next poll.
   */
  follow(from?: FeedPosition): FeedPosition | undefined;
  /** Where the hub stands in the project: a follower has received everything up to it. */
  readonly position: FeedPosition | undefined;
  leave(): void;
}

/** A project that readers follow, with positions of one epoch. */
interface Watched {
  projectId: string;
  position: FeedPosition | undefined;
  followers: Set<LiveReader>;
  /** Followers that have not been called yet. */
  fresh: Set<LiveReader>;
}

/** What the hub did so far, for the metrics and for tests. */
export interface LiveFigures {
  /** Readers with a seat. */
  readers: number;
  polls: number;
  /** Statements that were sent: polls, checks, and those that read who views leads. */
  statements: number;
  /** Events that streams sent. */
  sent: number;
}

/**
 * Follows the feeds of all projects that have readers in this process: one statement every 100 ms reads what was
 * committed, one each second checks the readers' credentials, and one, if people are among them, reads who views leads,
 * however many readers there are. Without readers nothing runs. What fails is tried again from the same positions.
 */
export class LiveHub {
  readonly figures: LiveFigures = { readers: 0, polls: 0, statements: 0, sent: 0 };
  readonly streams = new StreamSlots(MOST_STREAMS, MOST_OF_ONE);
  /** Receives the duration of each poll in seconds. */
  onPoll: (seconds: number) => void = () => undefined;
  readonly #open: () => Database;
  readonly #log: Logger;
  readonly #tracer: Tracer | undefined;
  readonly #readers = new Set<LiveReader>();
  /** By project and epoch: after a restored backup, new readers come before the former ones have left. */
  readonly #projects = new Map<string, Watched>();
  #db: Database | undefined;
  /** The epoch at the last poll; undefined while nothing runs. */
  #epoch: string | undefined;
  #running: Promise<void> | undefined;
  #checkedAt = 0;
  #isDraining = false;
  readonly #closing = new AbortController();

  /** `open` opens connections of the hub's own; it is called when the first reader comes. */
  constructor(open: () => Database, log: Logger, tracer?: Tracer) {
    this.#open = open;
    this.#log = log;
    this.#tracer = tracer;
  }

  /** Whether readers are being sent away, because the process stops. */
  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Gives a reader a seat, from which its credential is checked. */
  join(reader: LiveReader): LiveSeat {
    const { projectId } = reader.credential;
    this.#readers.add(reader);
    this.figures.readers = this.#readers.size;
    this.#running ??= this.#run();
    const place = `${projectId} ${reader.epoch ?? this.#epoch ?? ""}`;
    const watched = () => this.#projects.get(place);
    return {
      follow: (from) => {
        const known = watched();
        const project = known ?? { projectId, position: from, followers: new Set(), fresh: new Set() };
        if (known === undefined) this.#projects.set(place, project);
        project.followers.add(reader);
        project.fresh.add(reader);
        return project.position;
      },
      get position() {
        return watched()?.position;
      },
      leave: () => {
        this.#readers.delete(reader);
        this.figures.readers = this.#readers.size;
        const project = watched();
        project?.followers.delete(reader);
        project?.fresh.delete(reader);
        if (project?.followers.size === 0) this.#projects.delete(place);
      },
    };
  }

  /** Sends the readers away, and those that come later, so that they go on at another process. */
  drain(): void {
    this.#isDraining = true;
    for (const reader of [...this.#readers]) reader.ended("draining");
  }

  /** Stops reading, and closes the connections. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#db?.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    let pause = POLL_MS;
    while (this.#readers.size > 0 && !signal.aborted) {
      const begun = performance.now();
      let isFull = false;
      const isPolled = await this.#tried(async () => {
        isFull = await this.#poll();
      });
      const isDue = performance.now() - this.#checkedAt >= CHECK_MS;
      const isChecked = !isDue || (await this.#tried(() => this.#check()));
      pause = isPolled && isChecked ? POLL_MS : Math.min(pause * 2, LONGEST_PAUSE_MS);
      const left = pause - (performance.now() - begun);
      if (!isFull && left > 0) await sleep(left, undefined, { ref: false, signal }).catch(() => undefined);
    }
    this.#running = undefined;
    this.#epoch = undefined;
    // A reader that came after the last look starts it again.
    if (this.#readers.size > 0 && !signal.aborted) this.#running = this.#run();
  }

  /** Does work that is repeated if it fails; returns whether it succeeded. */
  async #tried(work: () => Promise<void>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!this.#closing.signal.aborted)
        this.#log.warn({ err: error }, "live readers could not be served; trying again");
      return false;
    }
  }

  /** Reads and hands out what was committed; returns whether more is waiting. */
  async #poll(): Promise<boolean> {
    const watched = [...this.#projects];
    if (watched.length === 0) return false;
    const marks = watched.map(([, { projectId, position }]) => ({
      projectId,
      tx: position?.tx,
      id: position?.id ?? "",
    }));
    const known = new Set(this.#readers);
    const begun = performance.now();
    this.figures.statements += 1;
    const trace = this.#tracer?.work("deliver events", KIND.producer);
    const db = trace === undefined ? this.#database() : this.#database().recording(trace);
    const { end, epoch, events } = await readCommitted(db, marks, MOST_EVENTS);
    this.figures.polls += 1;
    this.onPoll((performance.now() - begun) / 1_000);
    this.#enter(epoch, known);
    let isFull = false;
    watched.forEach(([place, project], i) => {
      // The last follower may have left meanwhile, and another one may have come, whose position is its own.
      if (this.#projects.get(place) !== project) return;
      const found = events[i] ?? [];
      const last = found.length === MOST_EVENTS ? found.at(-1) : undefined;
      if (last !== undefined) isFull = true;
      const reached = last === undefined ? { tx: end, id: LAST_ID } : { tx: last.tx, id: last.id };
      if (project.position === undefined || isAfter(reached, project.position)) project.position = reached;
      const those = found.length > 0 ? project.followers : project.fresh;
      project.fresh = new Set();
      for (const reader of those) reader.committed(found);
    });
    const delivered = events.reduce((sum, each) => sum + each.length, 0);
    trace?.set("leadgate.events", delivered);
    // Ten polls a second that find nothing are not worth a trace.
    if (delivered > 0) trace?.end();
    return isFull;
  }

  /**
   * Ends the readers of other epochs: after a backup was restored, their positions have no meaning any more. Those that
   * came after the `known` ones, while the poll ran, may be of a later epoch.
   */
  #enter(epoch: string, known: ReadonlySet<LiveReader>): void {
    const isRestored = this.#epoch !== undefined && this.#epoch !== epoch;
    this.#epoch = epoch;
    for (const reader of [...this.#readers])
      if (reader.epoch === undefined ? isRestored : known.has(reader) && reader.epoch !== epoch)
        reader.ended("restored");
  }

  async #check(): Promise<void> {
    const groups = new Map<string, LiveReader[]>();
    for (const reader of this.#readers) {
      const name = nameOf(reader.credential);
      const group = groups.get(name);
      if (group === undefined) groups.set(name, [reader]);
      else group.push(reader);
    }
    if (groups.size === 0) return;
    const all = [...groups.values()];
    this.figures.statements += 1;
    const standings = await readStandings(
      this.#database(),
      all.flatMap(([first]) => first?.credential ?? []),
    );
    this.#checkedAt = performance.now();
    all.forEach((group, i) => {
      for (const reader of group) if (this.#readers.has(reader)) reader.standing(standings[i]);
    });
    await this.#tellViewers();
  }

  /** Reports to people who has which leads open. Keys and applications never receive it. */
  async #tellViewers(): Promise<void> {
    const people = [...this.#readers].filter(
      ({ credential, viewing }) => credential.kind === "person" && viewing !== undefined,
    );
    if (people.length === 0) return;
    const projects = [...new Set(people.map(({ credential }) => credential.projectId))];
    this.figures.statements += 1;
    const found = await readPresence(this.#database(), projects);
    const viewers = new Map(projects.map((projectId, i) => [projectId, { json: found[i] ?? "[]" }]));
    for (const reader of people) {
      const those = viewers.get(reader.credential.projectId);
      if (those !== undefined && this.#readers.has(reader)) reader.viewing?.(those);
    }
  }

  #database(): Database {
    this.#db ??= this.#open();
    return this.#db;
  }
}

/** A name for a credential: two readers with the same one need one check. */
export function nameOf(credential: Credential): string {
  const secret = credential.kind === "person" ? credential.session : credential.hash;
  return `${credential.kind} ${credential.projectId} ${secret?.toString("latin1") ?? ""}`;
}
