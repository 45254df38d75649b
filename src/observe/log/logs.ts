import type { LogSettings } from "../../config/read-logs.ts";
import { Account, tenths } from "./account.ts";
import { type Log, SlowLog } from "./slow-log.ts";

/** Whose lines are written. */
interface Ended {
  /** The service's log; that of a request has its id. */
  log: Log;
  /** Returns members of both lines, such as route and status. */
  named: () => object;
  /** The project if nobody was let in but it is known, by an earlier request. */
  project?: string | undefined;
  /** What the line of the access log says. */
  message: string;
}

/** The access log and the slow log of a process. */
export class Logs {
  readonly #access: boolean;
  readonly #slow: SlowLog | undefined;

  private constructor({ access, slow }: LogSettings) {
    this.#access = access;
    this.#slow = slow === undefined ? undefined : new SlowLog(slow);
  }

  /** Undefined if there are none. */
  static of(settings: LogSettings): Logs | undefined {
    return settings.access || settings.slow !== undefined ? new Logs(settings) : undefined;
  }

  /** Ends an account and writes its lines. */
  ended(account: Account, { log, named, project, message }: Ended): void {
    account.end();
    const isSlow = this.#slow?.isSlow(account) === true;
    if (!this.#access && !isSlow) return;
    const { startedAt, endedAt = startedAt, caller } = account;
    // Members that are undefined are not written.
    const members = {
      ...named(),
      operation: account.operation,
      project: caller?.project ?? project,
      credential: caller?.credential,
      credential_id: caller?.id,
      queue_ms: tenths(account.queueMs),
      wait_ms: tenths(account.waitMs),
      database_ms: tenths(account.databaseMs),
      commit_ms: account.commitMs > 0 ? tenths(account.commitMs) : undefined,
      unread_ms: account.unreadMs > 0 ? account.unreadMs : undefined,
      statements: account.statements,
      lane: account.lane,
      refusal: account.refusal,
      ms: tenths(endedAt - startedAt),
    };
    if (this.#access) log.info(members, message);
    if (isSlow) this.#slow?.write(account, log, members);
  }

  account(): Account {
    return new Account();
  }
}
