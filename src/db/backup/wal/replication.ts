import pg from "pg";
import { within } from "../../../core/within.ts";
import { hangUp } from "../../pool/client.ts";

type Row = readonly (string | null)[];

/** The part of pg's connection that the replication protocol needs; its types lack it. */
export interface Wire {
  stream: { pause(): void; resume(): void };
  once(event: "replicationStart", listener: () => void): unknown;
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Who follows a command that copies data: `start` is called when both sides may send, `take` for each message. */
interface Follower {
  start?(wire: Wire): void;
  take(chunk: Buffer, wire: Wire): void;
}

/**
 * A command of the replication protocol (PostgreSQL: Streaming Replication Protocol): the rows of all its results
 * together, and the data that it copies as it comes.
 */
class ReplicationCommand {
  readonly rows: Row[] = [];
  readonly #text: string;
  readonly #follower: Follower | undefined;
  readonly #done: PromiseWithResolvers<Row[]>;

  constructor(text: string, follower: Follower | undefined, done: PromiseWithResolvers<Row[]>) {
    this.#text = text;
    this.#follower = follower;
    this.#done = done;
  }

  submit(wire: Wire): void {
    wire.once("replicationStart", () => this.#follower?.start?.(wire));
    wire.query(this.#text);
  }

  handleRowDescription(): void {}

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.rows.push(fields);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, wire: Wire): void {
    this.#follower?.take(chunk, wire);
  }

  handleCommandComplete(): void {}

  handleError(error: Error): void {
    this.#done.reject(error);
  }

  handleReadyForQuery(): void {
    this.#done.resolve(this.rows);
  }
}

/** A connection that speaks the replication protocol. */
export interface Replication {
  /** Runs a command; returns the rows of all its results, and passes copied data on. */
  command(text: string, follower?: Follower): Promise<Row[]>;
  end(): Promise<void>;
}

const END_MS = 1_000;

/** Opens a replication connection as a superuser or a role with REPLICATION. */
export async function openReplication(url: string): Promise<Replication> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "leadgate-backup",
    connectionTimeoutMillis: 10_000,
    // pg passes it on to the server, but its types lack it.
    ...{ replication: "true" },
  });
  let running: PromiseWithResolvers<Row[]> | undefined;
  client.on("error", (error) => running?.reject(error));
  client.on("end", () => running?.reject(new Error("the connection for the backup was closed")));
  await client.connect();
  return {
    async command(text, follower) {
      running = Promise.withResolvers<Row[]>();
      client.query(new ReplicationCommand(text, follower, running) as unknown as pg.Submittable);
      try {
        return await running.promise;
      } finally {
        running = undefined;
      }
    },
    async end() {
      // A server that is sending does not read the farewell.
      if (running !== undefined || !(await within(END_MS, client.end())))
        hangUp(client, new Error("the backup was stopped"));
    },
  };
}
