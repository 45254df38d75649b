import type { Caller } from "../../observe/log/account.ts";
import { closedBy } from "../statements/door.ts";
import { BEGIN, limiting, timed } from "../statements/statements.ts";
import type { Sent } from "../wire/send.ts";
import type { Row, Statement } from "../wire/statement-batch.ts";
import type { Door } from "./project-db.ts";

/** The first message of a transaction; so many of its statements begin it and open its project. */
export interface Opening {
  message: readonly Statement[];
  opening: number;
}

/** The same without a project. */
export const UNOPENED: Opening = { message: [BEGIN], opening: 1 };

export const unlessFailed = ({ error }: Sent): void => {
  if (error !== undefined) throw error;
};

interface Limits {
  limitMs: number;
  /** Whether statements without a limit of their own have this one. */
  isUsual: boolean;
  generic: boolean;
  distributed: boolean;
}

/**
 * The statements that open a project and set the time limit of those behind them, and how prepared ones are planned. On a
 * cluster the door runs on another node, so that the limits need a statement of their own; and Citus plans most statements only
 * with their values, because these say which node they go to.
 */
export function openingOf(
  { statement }: Door,
  { limitMs, isUsual, generic, distributed }: Limits,
): Statement[] {
  if (distributed) return [limiting(limitMs), statement];
  return [isUsual ? statement : timed(statement, limitMs, generic)];
}

/**
 * Returns the rows of a message whose first statements open a project, or throws the door's refusal or the error. `known`
 * learns whose credential it was.
 */
export function admitted(
  door: Door,
  opening: number,
  { error, results }: Sent,
  known: (caller: Caller | undefined) => void,
): Row[][] {
  const closed = closedBy(error);
  const row = closed === undefined ? results[opening - 1]?.[0] : closed.row;
  if (row !== undefined) known(door.who?.(row));
  if (closed !== undefined || results.length >= opening) door.admit(row);
  if (error !== undefined) throw error;
  return results;
}
