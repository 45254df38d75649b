import { isDecision, type Marked, ModelChanges, type ModelCounts, noCounts } from "./model-changes.ts";

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

/** What changes of rows and their undos mean, without a database. `key` is unique among rows. */
export class RowHistoryModel extends ModelChanges<RowChange> {
  readonly rows: ModelRow[] = [];

  begin(author: number, undoes?: RowChange): RowChange {
    return { id: "", author, undoes, undoneBy: undefined };
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

  /** Takes a change back, from its latest row to its first; returns what that did. */
  undo(change: RowChange, undo: RowChange): { counts: ModelCounts; made: boolean } {
    const counts = noCounts();
    const own = this.rows.flatMap((row) =>
      row.log.filter((entry) => entry.change === change).map((entry) => ({ row, entry })),
    );
    // Deleted rows free their keys for the others.
    const order = [...own].sort((a, b) => Number(a.entry.before !== null) - Number(b.entry.before !== null));
    for (const { row, entry } of order) this.#undoEntry(row, entry, undo, counts);
    const made = counts.put_back + counts.deleted + counts.restored > 0;
    if (made) this.markUndone(change, undo);
    return { counts, made };
  }

  #undoEntry(row: ModelRow, entry: Entry, undo: RowChange, counts: ModelCounts): void {
    const { before, after } = entry;
    const others = row.log.slice(row.log.indexOf(entry) + 1).filter(({ change }) => isDecision(change));
    if (before === null) {
      if (row.cells === null) return;
      if (others.length > 0) counts.kept += 1;
      else {
        this.delete(undo, row);
        counts.deleted += 1;
      }
    } else if (after === null) {
      if (row.cells !== null || this.holder(before.key) !== undefined) counts.kept += 1;
      else {
        this.#write(undo, row, before);
        counts.restored += 1;
      }
    } else if (row.cells === null) counts.kept += 1;
    else {
      const back: Cells = {};
      let isKept = false;
      for (const name of Object.keys(after).filter((each) => before[each] !== after[each])) {
        const now = row.cells[name];
        const former = before[name] ?? null;
        if (now === former) continue;
        const isTaken = name === "key" && this.holder(former) !== undefined;
        const isChanged = now !== after[name] || others.some((other) => sets(other, name));
        if (isTaken || isChanged) isKept = true;
        else back[name] = former;
      }
      if (isKept) counts.kept += 1;
      if (this.set(undo, row, back)) counts.put_back += 1;
    }
  }
}

const sets = ({ before, after }: Entry, name: string): boolean =>
  before !== null && after !== null && before[name] !== after[name];
