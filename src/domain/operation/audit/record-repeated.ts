import type pg from "pg";
import type { Service } from "../service/service.ts";
import { type AuditEntry, record } from "./record.ts";

type Repeated = AuditEntry & { once: string };

/** Those that came while an entry was being written: they are counted together by the next write. */
interface Waiting {
  times: number;
  latest: Service;
  written: Promise<void>;
}

/** The writes of one process, by `once`. */
interface Writes {
  under: Map<string, Promise<void>>;
  waiting: Map<string, Waiting>;
}

const known = new WeakMap<pg.Pool, Writes>();

/**
 * Records what anybody can make happen as often as they like, outside of transactions: exactly, but with one write
 * of an entry at a time, so that a flood of one token holds one connection and does not queue for the row's lock.
 */
export async function recordRepeated(service: Service, entry: Repeated): Promise<void> {
  const { under, waiting } = writesOf(service);
  const joined = waiting.get(entry.once);
  if (joined !== undefined) {
    joined.times += 1;
    joined.latest = service;
    return await joined.written;
  }
  const before = under.get(entry.once);
  if (before === undefined) return await write(service, entry, 1);
  const next = () => {
    waiting.delete(entry.once);
    return write(mine.latest, entry, mine.times);
  };
  const mine: Waiting = { times: 1, latest: service, written: before.then(next, next) };
  waiting.set(entry.once, mine);
  return await mine.written;
}

function write(service: Service, entry: Repeated, times: number): Promise<void> {
  const { under } = writesOf(service);
  const written = record(service, service.db, entry, times).finally(() => under.delete(entry.once));
  under.set(entry.once, written);
  return written;
}

function writesOf({ db: { pool } }: Service): Writes {
  const writes = known.get(pool) ?? { under: new Map(), waiting: new Map() };
  known.set(pool, writes);
  return writes;
}
