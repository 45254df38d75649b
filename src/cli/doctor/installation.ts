import { existsSync } from "node:fs";
import type pg from "pg";
import type { Config } from "../../config/config.ts";
import type { ExaminedSettings, SettingFault } from "../../config/examine.ts";
import { hereOf } from "../../config/here.ts";
import { startEmbedded } from "../../db/embedded/index.ts";
import { clusterOf } from "../../db/embedded/server/cluster.ts";
import { connected, end } from "../../db/migration/connect.ts";
import { knownSecretKeys } from "../../server/secret-keys.ts";
import { type Asked, ask } from "./ask.ts";

/** How long a single answer of another machine may take. */
export const ANSWER_MS = 4_000;

/** What the checks look at. What they share is opened once, and closed with it. */
export class Installation {
  readonly config: Config;
  /** The settings that could not be read; `config` has their defaults. */
  readonly faults: readonly SettingFault[];
  /** The settings that the instance which performs the command does not have. */
  readonly changed: readonly string[];
  readonly #databaseUrl: string | undefined;
  #opening: Promise<{ client: pg.Client; url: string }> | undefined;
  #closers: (() => Promise<void>)[] = [];
  #last: Promise<unknown> = Promise.resolve();
  readonly #asked = new Map<string, Promise<Asked>>();

  /** `databaseUrl` is that of the instance which performs the command. */
  constructor({ config, faults, changed }: ExaminedSettings, databaseUrl?: string) {
    this.config = config;
    this.faults = faults;
    this.changed = changed;
    this.#databaseUrl = databaseUrl ?? config.databaseUrl;
  }

  /** A connection to PostgreSQL itself, and its URL. Throws why there is none; it never makes a database. */
  database(): Promise<{ client: pg.Client; url: string }> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  /** Asks the database; one statement at a time. */
  async query<R extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<R[]> {
    const { client } = await this.database();
    const asked = this.#last.then(() => client.query<R>(text, values));
    this.#last = asked.catch(() => undefined);
    return (await asked).rows;
  }

  /** What an instance answers at the URL of a host; see ask. */
  async asked(url: string): Promise<Asked> {
    const known = this.#asked.get(url) ?? ask(url, await knownSecretKeys(this.config), ANSWER_MS);
    this.#asked.set(url, known);
    return await known;
  }

  /** The URL of a listener on this machine. */
  here(port: number): string {
    return `http://${hereOf(this.config)}:${port}`;
  }

  /** The ports of the listeners that the role has. */
  get ports(): number[] {
    const { role, authPort, apiPort } = this.config;
    return { all: [authPort, apiPort], web: [authPort], api: [apiPort], worker: [apiPort] }[role];
  }

  async close(): Promise<void> {
    for (const close of this.#closers.reverse()) await close().catch(() => undefined);
  }

  async #open(): Promise<{ client: pg.Client; url: string }> {
    const url = await this.#url();
    const limits = { query_timeout: ANSWER_MS, connectionTimeoutMillis: ANSWER_MS };
    const client = await connected(url, limits);
    this.#closers.push(() => end(client));
    return { client, url };
  }

  async #url(): Promise<string> {
    const { databaseDirectUrl, dataDir } = this.config;
    // Without a setting that could not be read, the embedded database may be a wrong guess.
    const fault = this.faults.find(({ setting }) => /^DATA(BASE|_DIR)/.test(setting));
    if (fault !== undefined) throw new Error(`${fault.setting} cannot be used`);
    const given = databaseDirectUrl ?? this.#databaseUrl;
    if (given !== undefined) return given;
    if (!existsSync(clusterOf(dataDir).folder))
      throw new Error(
        `DATA_DIR (${dataDir}) has no database: the first start makes it, unless the service has a DATABASE_URL, which is not given here`,
      );
    const embedded = await startEmbedded({ dataDir, attach: true });
    this.#closers.push(() => embedded.stop());
    return embedded.url;
  }
}
