import pg from "pg";
import type { Account } from "../../observe/log/account.ts";
import { during } from "../../observe/trace/span.ts";
import type { Trace } from "../../observe/trace/trace.ts";
import { partsOf } from "../statements/parts.ts";
import { sendWithSettings, VISITING_ALL } from "../statements/session-settings.ts";
import { BEGIN, isLockTimeout, onlyReads, StatementNames } from "../statements/statements.ts";
import type { Pipeline } from "../wire/pipeline.ts";
import { onConnection, PARALLEL, type Sent, send, type Way } from "../wire/send.ts";
import type { Row, Statement } from "../wire/statement-batch.ts";
import { Connections, type Lane, type Work } from "./connections.ts";
import type { DatabaseOptions } from "./database-options.ts";
import { feedEndBy } from "./feed-end.ts";
import { admitted, type Opening, openingOf, UNOPENED, unlessFailed } from "./opening.ts";
import { type Pipelines, pipelinesOf } from "./pipelines.ts";
import type { Plan } from "./plan-choice.ts";
import { type Answer, askInSteps, type Door, type ProjectDb, type QueryOptions } from "./project-db.ts";
import { KEYED, ProjectReads, type Purpose, type Run, type Timed, type TimeLimits } from "./project-reads.ts";
import { answeredIn, Recorded, recordedWork, sentIn } from "./recorded.ts";
import { SessionLocks } from "./session-locks.ts";
import { type Begin, type EndingInSteps, runTransaction, type Transaction } from "./transaction.ts";
import { isLost } from "./watch.ts";

export type { Door, ProjectDb } from "./project-db.ts";
export type { Queryable, Transaction } from "./transaction.ts";

pg.types.setTypeParser(pg.types.builtins.INT8, Number);

/** The connection pool, used for tables that belong to no project, or behind a project's door. */
export class Database {
  readonly connections: Connections;
  readonly #options: DatabaseOptions;
  readonly #names: StatementNames;
  readonly #reads: ProjectReads;
  readonly #pipelines: Pipelines;
  readonly #send: typeof send;
  readonly locks: SessionLocks;
  #trace: Trace | undefined;
  #account: Account | undefined;

  /** With another Database as `from`, shares its connections. */
  constructor(from: Database);
  constructor(url: string, options: DatabaseOptions);
  constructor(from: string | Database, options?: DatabaseOptions) {
    if (from instanceof Database) {
      [this.connections, this.#options] = [from.connections, from.#options];
      [this.#names, this.#reads, this.#pipelines] = [from.#names, from.#reads, from.#pipelines];
      this.#send = from.#send;
      this.locks = from.locks;
      [this.#trace, this.#account] = [from.#trace, from.#account];
      return;
    }
    if (options === undefined) throw new Error("a database needs options");
    this.#options = options;
    const { query } = options.limits;
    const connections = new Connections(from, { ...options, statementTimeoutMs: query });
    this.connections = connections;
    this.#names = new StatementNames(options.prepared !== false);
    this.#reads = new ProjectReads(options);
    this.locks = new SessionLocks(connections, query);
    this.#send = this.isPooled ? sendWithSettings(query, this.isDistributed) : send;
    this.#pipelines = pipelinesOf(connections, options.limits, this.#send, (each) => this.named(each));
  }

  /** The same database, whose statements are recorded in this trace and noted in this account. */
  recording(trace: Trace | undefined, account?: Account): Database {
    const db = new Database(this);
    [db.#trace, db.#account] = [trace, account];
    return db;
  }

  /** Runs SQL on tables that belong to no project; without a door, project tables are empty. */
  async query<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    const ask = async (client: pg.PoolClient) => {
      if (!this.isPooled) return (await client.query(text, [...values])).rows as R[];
      const { error, results } = await this.#send(client, [[{ text, values }]])[0];
      if (error !== undefined) throw error;
      return (results[0] ?? []) as R[];
    };
    const record = this.#record(text, KEYED.lane);
    const work = recordedWork(KEYED, record);
    const rows = this.connections.use(work, this.#limits.query, ask, onlyReads(text));
    return await answeredIn(record, rows, ({ length }) => length);
  }

  /** Runs a few prepared statements in one transaction and one message; returns the rows of the last. See Pipeline. */
  async together<R>(statements: readonly Statement[]): Promise<R[]> {
    const record = this.#record(statements.at(-1)?.text ?? "", KEYED.lane);
    const [sent] = this.#pipelines.short.write.send(recordedWork(KEYED, record), [
      statements.map((statement) => this.named(statement)),
    ]);
    const { error, results } = await sentIn(record, -1, sent);
    if (error !== undefined) throw error;
    return (results.at(-1) ?? []) as R[];
  }

  /** Runs what visits several projects, which a cluster refuses otherwise. */
  async visitAll<R>(text: string, values: readonly unknown[] = []): Promise<R[]> {
    if (!this.isDistributed) return await this.query(text, values);
    return await this.together([VISITING_ALL, { text, values }]);
  }

  async transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return await this.#transaction(KEYED, this.#limits.query, UNOPENED, unlessFailed, work);
  }

  /** A project behind its door. `purpose` is the lane of the work there; by default that of short work by key. */
  behind(door: Door, purpose: Purpose = KEYED): ProjectDb {
    let writes = 0;
    const working = (lane: Lane): Work => {
      return { lane, owner: purpose.owner, begun: (lane === "long" ? writes++ : writes) > 0 };
    };
    const begin: Begin = async (work, lane = purpose.lane === "keyed" ? "keyed" : "long", ahead) => {
      const limitMs = lane === "long" || lane === "export" ? this.#limits.long : this.#limits.query;
      const opening = [BEGIN, ...this.#opening(door, limitMs)];
      let rows: Row[][] = [];
      const message = [...opening, ...ahead.map((each) => this.named(each))];
      const admit = ({ error, results: [, ...behindBegin] }: Sent) => {
        rows = this.#admitted(door, { error, results: behindBegin }).slice(this.#opened);
      };
      const first: Opening = { message, opening: opening.length };
      return await this.#transaction(working(lane), limitMs, first, admit, (tx) => work(tx, rows));
    };
    const ask = async (statement: Statement, options: QueryOptions = {}, check?: Statement) => {
      // Citus would carry the rows of a write of several parts over all nodes.
      const parts = this.isDistributed ? partsOf(statement.text) : undefined;
      if (parts === undefined) return await this.#ask(door, purpose, working, statement, options, check);
      const lane = options.short ? "keyed" : purpose.lane;
      return await askInSteps(begin, statement, parts, { lane, ahead: options.ahead, check });
    };
    const own: ProjectDb = {
      feedEnd: async () => (this.isDistributed ? await feedEndBy((sent) => this.together(sent)) : undefined),
      open: async <R>() => {
        const { text } = door.statement;
        const message = this.#opening(door, this.#limits.query);
        const sent = await this.#shared(this.#pipelines.short.read, KEYED, text, message, message.length - 1);
        return this.#admitted(door, sent)[message.length - 1]?.[0] as R;
      },
      query: async <R>(text: string, values: readonly unknown[] = [], options?: QueryOptions) =>
        (await ask({ text, values }, options)).rows as R[],
      queryAndCheck: async <R, C>(text: string, values: readonly unknown[], check: Statement, options = {}) =>
        (await ask({ text, values }, options, check)) as Answer<R, C>,
      transaction: async (work, lane, ahead = []) => await begin(work, lane, ahead),
    };
    return own;
  }

  get pool(): pg.Pool {
    return this.connections.pool;
  }

  /** Whether a pooler stands between us and PostgreSQL. */
  get isPooled(): boolean {
    return this.#options.pooled === true;
  }

  /** Whether projects are distributed over the nodes of a Citus cluster. */
  get isDistributed(): boolean {
    return this.#options.distributed === true;
  }

  async close(): Promise<void> {
    await this.connections.close();
  }

  get #limits(): TimeLimits {
    return this.#options.limits;
  }

  async #transaction<T>(
    work: Work,
    limitMs: number,
    { message, opening }: Opening,
    admit: (sent: Sent) => void,
    run: (tx: EndingInSteps) => Promise<T>,
  ): Promise<T> {
    const open = async (client: pg.PoolClient) => {
      const way = onConnection(client, this.#send);
      admit(await this.sendOver(way, message, opening));
    };
    const span = this.#trace?.start("transaction");
    const record = Recorded.of(span, this.#account?.statement("BEGIN", work.lane));
    const running = recordedWork(work, record);
    return await during(span, runTransaction(this.connections, running, limitMs, open, run, this.#names));
  }

  /** Records a statement, which now waits for a connection. */
  #record(text: string, lane: Lane): Recorded | undefined {
    return Recorded.of(this.#trace?.statement(text, lane), this.#account?.statement(text, lane));
  }

  /** See `admitted`; the logs then know who stands there, and the trace that the caller is inside. */
  #admitted(door: Door, sent: Sent): Row[][] {
    const rows = admitted(door, this.#opened, sent, (caller) => this.#account?.admitted(caller));
    this.#trace?.admit();
    return rows;
  }

  /** Sends a door, the statement behind it, and perhaps another one, in one message. */
  async #ask(
    door: Door,
    purpose: Purpose,
    working: (lane: Lane) => Work,
    { text, values }: Statement,
    { prepare = false, measured = false, parallel = false, ahead = [], short, grouped, took }: QueryOptions,
    check?: Statement,
  ): Promise<Answer<Row, Row>> {
    const helped = [...(parallel ? [PARALLEL] : []), ...ahead].map((each) => this.named(each));
    const place = this.#opened + helped.length;
    const following = check === undefined ? [] : [this.named(check)];
    const message = (limitMs: number, plan: Plan | undefined) => [
      ...this.#opening(door, limitMs, plan === "generic"),
      ...helped,
      { text, values, name: prepare !== false || plan === "generic" ? this.#names.of(text) : undefined },
      ...following,
    ];
    const alone: Run = async (lane, limitMs, plan) => {
      const record = this.#record(text, lane);
      const sending = this.#byItself(recordedWork(working(lane), record), limitMs, message(limitMs, plan));
      const sent = await sentIn(record, place, sending);
      took?.(sent.ms);
      return sent;
    };
    const { query, long } = this.#limits;
    const itself = () => alone(purpose.lane, purpose.lane === "long" ? long : query);
    const shared = (pipeline: Pipeline<Work>, work: Work, limitMs: number) =>
      this.#shared(pipeline, work, text, message(limitMs, undefined), place);
    const together = async (kind: "read" | "write") => {
      const limitMs = kind === "read" ? query : long;
      const sent = await shared(this.#pipelines.grouped[kind], working(purpose.lane), limitMs);
      return isLockTimeout(sent.error) ? await itself() : sent;
    };
    const sent = await (short !== undefined
      ? shared(this.#pipelines.short[short], KEYED, query)
      : purpose.lane === "query"
        ? this.#reads.read(purpose, text, measured, alone)
        : grouped !== undefined
          ? together(grouped)
          : itself());
    const [rows = [], checked = []] = this.#admitted(door, sent).slice(place);
    return { rows, checked };
  }

  /** Sends one message with others over one connection; `text` is its statement at `place`, which is recorded. */
  async #shared(
    pipeline: Pipeline<Work>,
    work: Work,
    text: string,
    statements: readonly Statement[],
    place: number,
  ): Promise<Sent> {
    const record = this.#record(text, work.lane);
    const way: Way = (batches) => pipeline.send(recordedWork(work, record), batches);
    return await sentIn(record, place, this.sendOver(way, statements, this.#opened));
  }

  /** Sends one message, which is one transaction, over a separate connection. */
  async #byItself(work: Work, limitMs: number, statements: readonly Statement[]): Promise<Timed> {
    const ask = async (client: pg.PoolClient) => {
      const since = performance.now();
      const sent = await this.sendOver(onConnection(client, this.#send), statements, this.#opened);
      // The door before it sets what ends with its transaction.
      if (isLost(sent.error) && onlyReads(statements.at(-1)?.text ?? "")) throw sent.error;
      return { ...sent, ms: performance.now() - since };
    };
    return await this.connections.use(work, limitMs, ask, true);
  }

  /** How many statements open a project; the last one is its door. */
  get #opened(): number {
    return this.isDistributed ? 2 : 1;
  }

  #opening(door: Door, limitMs: number, generic = false): Statement[] {
    const isUsual = limitMs === this.#limits.query && !generic;
    return openingOf(door, { limitMs, generic, isUsual, distributed: this.isDistributed }).map((each) =>
      this.named(each),
    );
  }

  /**
   * Sends one message, which is one transaction, or the first of one. A subclass may send another transaction ahead of it,
   * and a check behind the first statements, of which the last one is the door.
   */
  protected async sendOver(way: Way, statements: readonly Statement[], _opening = 1): Promise<Sent> {
    return await way([statements])[0];
  }

  protected named(statement: Statement): Statement {
    return { ...statement, name: this.#names.of(statement.text) };
  }

  /** Sends only what a subclass sends ahead. */
  protected async sendNothing(): Promise<Sent> {
    const record = this.#record("rate check", KEYED.lane);
    return await sentIn(record, 0, this.#byItself(recordedWork(KEYED, record), this.#limits.query, []));
  }
}
