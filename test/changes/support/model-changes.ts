/** What the models of leads and of rows know of each change. */
export interface Marked<Change> {
  /** The id that the service gave it. */
  id: string;
  author: number;
  undoes: Change | undefined;
  undoneBy: Change | undefined;
}

export interface ModelCounts {
  put_back: number;
  deleted: number;
  restored: number;
  withdrawn: number;
  kept: number;
}

export const noCounts = (): ModelCounts => ({ put_back: 0, deleted: 0, restored: 0, withdrawn: 0, kept: 0 });

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
    const { undoes: stands } = change;
    if (stands?.undoneBy !== change) return;
    stands.undoneBy = undefined;
    if (stands.undoes !== undefined && stands.undoes.undoneBy === undefined)
      this.markUndone(stands.undoes, stands);
  }
}

/** Whether what a change wrote is still somebody's decision. */
export const isDecision = <Change extends Marked<Change>>({ undoes, undoneBy }: Change): boolean =>
  undoes === undefined && undoneBy === undefined;
