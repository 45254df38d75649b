import {
  isDecision,
  isWritten,
  type Marked,
  ModelChanges,
  type ModelCounts,
  marks,
  noCounts,
} from "./model-changes.ts";

/** A change of rows as the model knows it. */
export interface RowChange extends Marked<RowChange> {}

type Cells = Record<string, string | number | null>;

/** What a change did to a row: created it or brought it back, changed it, or deleted it. */
interface Entry {
  change: RowChange;
  before: Cells | null;
  after: Cells | null;
}

export interface ModelRow {
  id: string;
  /** Null while it is deleted. */
  cells: Cells | null;
  /** Each write has one, also of a row that comes back. */
  version: number;
  log: Entry[];
}

interface Plan {
  row: ModelRow;
  op: "none" | "delete" | "restore" | "set";
  back: Cells;
  kept: Set<string | null>;
}

/** What changes of rows and their undos mean, without a database. `key` is unique among rows. */
export class RowHistoryModel extends ModelChanges<RowChange> {
  readonly rows: ModelRow[] = [];

  begin(author: number, undid: RowChange[] = []): RowChange {
    return { id: "", author, ...marks<RowChange>(), undid };
  }

  protected get logs() {
    return this.rows.map(({ log }) => log);
  }

  get alive(): ModelRow[] {
    return this.rows.filter(({ cells }) => cells !== null);
  }

  holder = (key: unknown): ModelRow | undefined => this.alive.find(({ cells }) => cells?.key === key);

  create(change: RowChange, id: string, cells: Cells): void {
    const row: ModelRow = { id, cells: null, version: 0, log: [] };
    this.rows.push(row);
    this.#write(change, row, cells);
  }

  set(change: RowChange, row: ModelRow, cells: Cells): boolean {
    const changed = Object.entries(cells).filter(([name, value]) => row.cells?.[name] !== value);
    if (changed.length > 0) this.#write(change, row, { ...row.cells, ...Object.fromEntries(changed) });
    return changed.length > 0;
  }

  delete(change: RowChange, row: ModelRow): void {
    this.#write(change, row, null);
  }

  #write(change: RowChange, row: ModelRow, cells: Cells | null): void {
    row.log.push({ change, before: row.cells, after: cells });
    row.cells = cells;
    if (cells !== null) row.version += 1;
  }

  /** Takes a change back, or what an earlier undo of it kept; returns what that did. */
  undo(change: RowChange, fresh: RowChange): { counts: ModelCounts; made: boolean } {
    const counts = noCounts();
    const undo = change.undoneBy ?? fresh;
    const earlier = change.undoneBy === undefined ? undefined : undo.kept;
    const plans = this.rows.flatMap((row) => {
      const only = earlier?.find(({ record }) => record === row.id)?.fields;
      return earlier !== undefined && only === undefined ? [] : (this.#plan(row, change, only) ?? []);
    });
    const of = (op: Plan["op"]) => plans.filter((plan) => plan.op === op);
    for (const { row } of of("delete")) this.delete(undo, row);
    this.#refuseTaken(plans);
    const restored = of("restore").filter(({ kept }) => !kept.has(null));
    const put = of("set").filter(({ back }) => Object.keys(back).length > 0);
    for (const { row, back } of [...restored, ...put]) this.#write(undo, row, { ...row.cells, ...back });
    Object.assign(counts, {
      ...{ put_back: put.length, deleted: of("delete").length, restored: restored.length },
      kept: plans.filter(({ kept }) => kept.size > 0).length,
    });
    const made = isWritten(counts);
    if (made || (earlier !== undefined && counts.kept < earlier.length)) {
      undo.kept = plans.flatMap(({ row, kept }) =>
        kept.size === 0
          ? []
          : [{ of: change, part: undefined, record: row.id, fields: kept, written: false }],
      );
      if (earlier === undefined) this.markUndone(change, undo);
    }
    return { counts, made };
  }

  #plan(row: ModelRow, change: RowChange, only: ReadonlySet<string | null> | undefined): Plan | undefined {
    const own = row.log.filter((entry) => entry.change === change);
    const [first, last] = [own[0], own.at(-1)];
    if (first === undefined || last === undefined) return undefined;
    const whole = only === undefined || only.has(null);
    const plan: Plan = { row, op: "none", back: {}, kept: new Set() };
    const keep = (): Plan => ({ ...plan, kept: new Set(whole ? [null] : only) });
    const since = (entry: Entry) =>
      row.log.slice(row.log.indexOf(entry) + 1).filter((each) => each.change !== change);
    const stands = (entry: Entry): boolean =>
      namesOf(entry).some((name) => isDecision(entry.change, row.id, name));
    const isGone = row.cells === null;
    if (whole && first.before === null && last.after !== null) {
      if (isGone) return plan;
      return since(first).some(stands) ? keep() : { ...plan, op: "delete" };
    }
    if (whole && first.before !== null && last.after === null) {
      const again = since(last).some(
        (entry) => (entry.before === null || entry.after === null) && isDecision(entry.change, row.id, null),
      );
      return !isGone || again ? keep() : { ...plan, op: "restore", back: { ...stepsOf(own, true) } };
    }
    const steps = Object.entries(stepsOf(own)).filter(([name]) => whole || only.has(name));
    if (steps.length === 0) return plan;
    if (isGone) return keep();
    for (const [name, former] of steps) {
      const now = row.cells?.[name];
      if (now === former) continue;
      const entry = own.findLast((each) => namesOf(each).includes(name)) as Entry;
      const set = since(entry).some(
        (other) => namesOf(other).includes(name) && isDecision(other.change, row.id, name),
      );
      if (set || now !== (entry.after?.[name] ?? null)) plan.kept.add(name);
      else plan.back[name] = former;
    }
    return Object.keys(plan.back).length > 0 ? { ...plan, op: "set" } : plan;
  }

  /** Keeps keys that another row has and does not give up. */
  #refuseTaken(plans: readonly Plan[]): void {
    const claims = plans.filter(
      ({ op, back }) => (op === "set" || op === "restore") && typeof back.key === "string",
    );
    let met = claims.filter((plan) => claims.find(({ back }) => back.key === plan.back.key) === plan);
    for (let size = -1; size !== met.length; ) {
      size = met.length;
      met = met.filter((plan) => {
        const holder = this.holder(plan.back.key);
        return holder === undefined || holder === plan.row || met.some(({ row }) => row === holder);
      });
    }
    for (const plan of claims) {
      if (met.includes(plan)) continue;
      delete plan.back.key;
      plan.kept.add(plan.op === "restore" ? null : "key");
    }
  }
}

/** The cells that an entry changed, and null if the row came or went. */
const namesOf = ({ before, after }: Entry): (string | null)[] => [
  ...(before === null || after === null ? [null] : []),
  ...Object.keys(before ?? after ?? {}).filter(
    (name) => (before?.[name] ?? null) !== (after?.[name] ?? null),
  ),
];

/** What the cells were before the change, since somebody else last wrote them. */
function stepsOf(own: readonly Entry[], all = false): Cells {
  const steps: Record<string, { from: string | number | null; to: string | number | null }> = {};
  for (const { before, after } of own)
    for (const name of Object.keys(before ?? after ?? {})) {
      const [from, to] = [before?.[name] ?? null, after?.[name] ?? null];
      if (from === to && !all) continue;
      const former = steps[name];
      steps[name] = { from: former !== undefined && former.to === from ? former.from : from, to };
    }
  const changed = Object.entries(steps).filter(([, { from, to }]) => all || from !== to);
  return Object.fromEntries(changed.map(([name, { from }]) => [name, from]));
}
