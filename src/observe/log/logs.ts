import { type Logger, pino } from "pino";
import { Account, tenths } from "./account.ts";
import { LogFile } from "./log-file.ts";
import { type Log, SlowLog, type SlowLogSettings } from "./slow-log.ts";

export interface LogSettings {
  /** Where the access log goes: into the service's log, nowhere, or to the end of a file. */
  access: "log" | "off" | { file: string };
  /** Undefined if nothing is reported as slow. */
  slow: SlowLogSettings | undefined;
}

/** Whose lines are written. */
interface Ended {
  /** The service's log; that of a request has its id. */
  log: Log;
  reqId?: string;
  /** Members of both lines, such as route and status. */
  named: object;
  /** What the line of the access log says. */
  message: string;
}

/** The access log and the slow log of a process. */
export class Logs {
  readonly #access: Logger | "log" | undefined;
  readonly #file: LogFile | undefined;
  readonly #slow: SlowLog | undefined;

  private constructor({ access, slow }: LogSettings, file: LogFile | undefined) {
    this.#file = file;
    if (file !== undefined) this.#access = pino({ base: null }, file);
    else if (access === "log") this.#access = "log";
    this.#slow = slow === undefined ? undefined : new SlowLog(slow);
  }

  /** Opens the logs; undefined if there are none. Throws if the file cannot be opened. */
  static async open(settings: LogSettings, log: Logger): Promise<Logs | undefined> {
    const { access, slow } = settings;
    if (access === "off" && slow === undefined) return undefined;
    if (typeof access === "string") return new Logs(settings, undefined);
    const onFault = (error: Error) =>
      log.error({ err: error }, "the access log loses lines; the service goes on without them");
    const file = await LogFile.open(access.file, onFault).catch((cause: Error) => {
      throw new Error(`The file of ACCESS_LOG cannot be opened: ${cause.message}`, { cause });
    });
    return new Logs(settings, file);
  }

  /** Ends an account and writes its lines. */
  ended(account: Account, { log, reqId, named, message }: Ended): void {
    account.end();
    const { startedAt, endedAt = startedAt, caller } = account;
    const shared = {
      ...named,
      operation: account.operation,
      ...(caller?.project === undefined ? {} : { project: caller.project }),
      credential: caller?.credential,
      credential_id: caller?.id,
      queue_ms: tenths(account.queueMs),
      wait_ms: tenths(account.waitMs),
      database_ms: tenths(account.databaseMs),
      statements: account.statements,
      lane: account.lane,
      refusal: account.refusal,
    };
    const line = { ...shared, ms: tenths(endedAt - startedAt) };
    if (this.#access === "log") log.info(line, message);
    else this.#access?.info({ reqId, ...line }, message);
    this.#slow?.ended(account, log, shared);
  }

  account(): Account {
    return new Account();
  }

  /** Whether the access log is a file. */
  get hasFile(): boolean {
    return this.#file !== undefined;
  }

  /** Opens the file by its path again. */
  reopen(): void {
    this.#file?.reopen();
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }
}
