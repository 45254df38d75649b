import { setTimeout as sleep } from "node:timers/promises";

/** A project that is written and read, and where it is. */
export interface LoadedProject {
  id: string;
  key: string;
  /** The port of its node; it may move. */
  node(): number;
}

/** What a part of the load met. */
export interface Met {
  requests: number;
  /** How often each status other than the expected came, by the port of the project's node. */
  failed: Map<string, number>;
  /** Answers that contradict what was acknowledged. */
  wrong: string[];
}

/** What a project's writer and follower know at the end. */
export interface Known {
  /** The external ids of the leads that were acknowledged. */
  acknowledged: readonly string[];
  /** The ids of the events that the follower was told, in their order. */
  told: readonly string[];
}

const RETRY_MS = 50;
const FOLLOW_MS = 100;

/**
 * Writes and reads leads of projects until it is stopped, and knows what was acknowledged: a lead by its external id, by `upsert`,
 * so that a write may be repeated. Each project has one writer, which reads its last lead back, and one follower of its feed.
 */
export class AcknowledgedLoad {
  readonly #baseUrl: string;
  readonly #projects: readonly LoadedProject[];
  readonly #acknowledged = new Map<string, string[]>();
  readonly #told = new Map<string, string[]>();
  readonly #stop = new AbortController();
  readonly #writing: Promise<void>[];
  readonly #following: Promise<void>[];
  #written = false;
  #met: Met = { requests: 0, failed: new Map(), wrong: [] };

  constructor(baseUrl: string, projects: readonly LoadedProject[]) {
    this.#baseUrl = baseUrl;
    this.#projects = projects;
    this.#writing = projects.map((project) => this.#write(project));
    this.#following = projects.map((project) => this.#follow(project));
  }

  /** What happened since the last call. */
  met(): Met {
    const met = this.#met;
    this.#met = { requests: 0, failed: new Map(), wrong: [] };
    return met;
  }

  /** Stops, and returns what is known by project. */
  async stop(): Promise<ReadonlyMap<string, Known>> {
    this.#stop.abort();
    await Promise.all(this.#writing);
    this.#written = true;
    await Promise.all(this.#following);
    return new Map(
      this.#projects.map(({ id }) => [
        id,
        { acknowledged: this.#acknowledged.get(id) ?? [], told: this.#told.get(id) ?? [] },
      ]),
    );
  }

  async #write(project: LoadedProject): Promise<void> {
    const acknowledged: string[] = [];
    this.#acknowledged.set(project.id, acknowledged);
    for (let n = 0; !this.#stop.signal.aborted; ) {
      const external = `${project.id}-${n}`;
      const lead = { external_id: external, name: `Lead ${n}`, score: n % 100 };
      const status = await this.#ask(project, "PUT", "/api/v1/leads/upsert", {
        match_on: ["external_id"],
        lead,
      });
      if (status.code !== 200 && status.code !== 201) {
        await sleep(RETRY_MS);
        continue;
      }
      acknowledged.push(external);
      n += 1;
      const found = await this.#ask(project, "POST", "/api/v1/leads/search", {
        filter: { field: "external_id", op: "eq", value: external },
      });
      const { leads } = (found.body ?? {}) as { leads?: { external_id: string }[] };
      if (found.code === 200 && (leads?.length !== 1 || leads[0]?.external_id !== external))
        this.#met.wrong.push(`${external}: ${leads?.length} leads after it was acknowledged`);
    }
  }

  /** Follows the feed: each event must come once, whatever commits late. */
  async #follow(project: LoadedProject): Promise<void> {
    const told: string[] = [];
    this.#told.set(project.id, told);
    let cursor = "";
    for (let isLast = false; ; ) {
      const path = `/api/v1/events?limit=500${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const { code, body } = await this.#ask(project, "GET", path);
      if (code !== 200) {
        await sleep(RETRY_MS);
        continue;
      }
      const page = body as { events: { id: string }[]; next_cursor: string; has_more: boolean };
      told.push(...page.events.map(({ id }) => id));
      cursor = page.next_cursor;
      if (page.has_more) continue;
      if (isLast) return;
      // Once more after the last write, which may be behind this page.
      isLast = this.#written;
      await sleep(FOLLOW_MS);
    }
  }

  async #ask(
    project: LoadedProject,
    method: string,
    path: string,
    body?: object,
  ): Promise<{ code: number; body?: unknown }> {
    this.#met.requests += 1;
    const node = project.node();
    try {
      const answer = await fetch(`${this.#baseUrl}${path}`, {
        method,
        headers: { Authorization: `Bearer ${project.key}`, "Content-Type": "application/json" },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(30_000),
      });
      const text = await answer.text();
      if (answer.status >= 300) this.#failed(`${node}: ${answer.status} ${messageOf(text)}`);
      return { code: answer.status, body: JSON.parse(text) };
    } catch (error) {
      this.#failed(`${node}: ${(error as Error).message}`);
      return { code: 0 };
    }
  }

  #failed(what: string): void {
    this.#met.failed.set(what, (this.#met.failed.get(what) ?? 0) + 1);
  }
}

const messageOf = (text: string): string =>
  (JSON.parse(text) as { error?: { message?: string } }).error?.message ?? text.slice(0, 120);
