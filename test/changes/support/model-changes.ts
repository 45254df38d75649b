/** What an undo left alone of a record: fields, or null for the whole of it. */
export interface Kept<Change> {
  /** Of the changes that it took back, and of the parts of that one. */
  of: Change;
  part: object | undefined;
  record: string;
  fields: ReadonlySet<string | null>;
  /** Whether the undo has put back something else of the record. */
  written: boolean;
}

/** What the models of leads and of rows know of each change. */
export interface Marked<Change> {
  /** The id that the service gave it. */
  id: string;
  author: number;
  /** The changes that it takes back. */
  undid: Change[];
  undoneBy: Change | undefined;
  kept: Kept<Change>[];
  /** Of an undo of several changes: what it wrote for each of them, in its order. */
  parts: object[];
}

export interface ModelCounts {
  put_back: number;
  deleted: number;
  restored: number;
  withdrawn: number;
  kept: number;
}

export const noCounts = (): ModelCounts => ({ put_back: 0, deleted: 0, restored: 0, withdrawn: 0, kept: 0 });

export const isWritten = ({ put_back, deleted, restored, withdrawn }: ModelCounts): boolean =>
  put_back + deleted + restored + withdrawn > 0;

export const marks = <Change>(): Omit<Marked<Change>, "id" | "author"> => ({
  ...{ undid: [], undoneBy: undefined, kept: [], parts: [] },
});

/** Whether a change can be undone, or its undo be continued. */
export const isOpen = <Change extends Marked<Change>>(change: Change): boolean =>
  change.undoneBy === undefined || change.undoneBy.kept.some(({ of }) => of === change);

/** The changes of a model, and the logs of its records, which name them. */
export abstract class ModelChanges<Change extends Marked<Change>> {
  readonly changes: Change[] = [];

  protected abstract readonly logs: readonly (readonly { change: Change }[])[];

  /** Keeps a change that wrote something. */
  end(change: Change, id: string): void {
    change.id = id;
    this.changes.push(change);
  }

  /** Whether a change wrote anything to a log. */
  wrote(change: Change): boolean {
    return this.logs.some((log) => log.some((entry) => entry.change === change));
  }

  /** What a change undid stands again once it is undone; if that was an undo, what it had undone is undone again. */
  protected markUndone(change: Change, by: Change): void {
    change.undoneBy = by;
    for (const stands of change.undid) {
      if (stands.undoneBy !== change) continue;
      stands.undoneBy = undefined;
      this.flipped(stands);
      for (const again of stands.undid)
        if (again.undoneBy === undefined) {
          this.flipped(again);
          this.markUndone(again, stands);
        }
    }
  }

  /** Called for a change that stands again, or is undone again, because of an undo of another one. */
  protected flipped(_change: Change): void {}
}

/** Whether what a change wrote to a field is still somebody's decision. */
export const isDecision = <Change extends Marked<Change>>(
  change: Change,
  record: string,
  field: string | null,
): boolean => {
  if (change.undid.length > 0) return false;
  const { undoneBy } = change;
  const isKept = ({ of, record: its, fields }: Kept<Change>) =>
    of === change && its === record && (fields.has(null) || fields.has(field));
  return undoneBy === undefined || undoneBy.kept.some(isKept);
};
