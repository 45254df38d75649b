import { isDeepStrictEqual } from "node:util";
import { newId } from "../../../core/id.ts";
import type { Fault } from "../../../core/refusal.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import { type Column, isFolded } from "../../fields/column.ts";
import type { Dataset } from "../definition/dataset.ts";
import type { Cell } from "./cell.ts";
import { definitionsOf, missingOf, type RowPatch } from "./read-row.ts";

/** A row in the identity map; version 0 means not stored yet. */
export interface MappedRow {
  id: string;
  version: number;
  cells: Record<string, Cell>;
  changed: boolean;
  /** Of a row that was deleted and comes back: the version that it gets, and when it was created. */
  back?: { version: number; created_at: string };
}

/** The largest size of a row, as JSON. */
const LARGEST = 65_536;

const nameOf = (slot: string, value: Cell): string => `${slot} ${String(value)}`;

/** Rows with the unique values that they hold, and the holders of given values. */
export interface Loaded {
  uniques: { slot: string; value: string; key: string; row: string | null }[] | null;
  rows: Pick<MappedRow, "id" | "version" | "cells">[] | null;
  own: { slot: string; key: string; row: string }[] | null;
}

const LOAD = `WITH given AS (
    SELECT slot, value, unique_value(value, folded) AS key
    FROM jsonb_to_recordset($3::jsonb) AS g (slot text, value text, folded boolean)
  ), held AS MATERIALIZED (
    SELECT given.*, u.row_id FROM given LEFT JOIN dataset_unique u
      ON u.project_id = $1 AND u.dataset_id = $2 AND u.slot = given.slot AND u.value = given.key
  ), meant AS MATERIALIZED (
    SELECT id, version, cells FROM dataset_row r WHERE project_id = $1 AND dataset_id = $2
      AND id = ANY ($4::text[] || ARRAY(SELECT row_id FROM held WHERE row_id IS NOT NULL))
  )
  SELECT (SELECT json_agg(json_build_object('slot', slot, 'value', value, 'key', encode(key, 'hex'), 'row', row_id)) FROM held) AS uniques,
    (SELECT json_agg(meant) FROM meant) AS rows,
    (SELECT json_agg(json_build_object('slot', slot, 'key', encode(value, 'hex'), 'row', row_id)) FROM dataset_unique u
     WHERE project_id = $1 AND dataset_id = $2 AND row_id IN (SELECT id FROM meant)) AS own`;

/**
 * The rows that a batch of changes may touch, with the holders of their unique values. The dataset is locked, so
 * each change can be decided in turn and all are written in one statement.
 */
export class RowIdentityMap {
  readonly rows = new Map<string, MappedRow>();
  readonly columns: readonly Column[];
  readonly dataset: Dataset;
  /** The hash of each unique value, and its holder by slot and hash. */
  readonly #hashes = new Map<string, string>();
  readonly #holders = new Map<string, string>();
  /** The hashes that each row holds, by slot. */
  readonly #held = new Map<string, Map<string, string>>();
  readonly #freed = new Map<string, { slot: string; value: string }>();
  readonly #taken = new Map<string, { slot: string; value: string; row_id: string }>();

  constructor(dataset: Dataset) {
    this.dataset = dataset;
    this.columns = definitionsOf(dataset);
  }

  /**
   * Reads the rows that these changes refer to, by id or by unique value. `over` puts what a dry run remembers over them.
   */
  async load(
    tx: Transaction,
    projectId: string,
    patches: readonly RowPatch[],
    ids: readonly string[],
    over: (loaded: Loaded, ids: readonly string[]) => Promise<Loaded> = async (loaded) => loaded,
  ): Promise<void> {
    const given = new Map<string, { slot: string; value: string; folded: boolean }>();
    for (const column of this.columns) {
      if (!column.unique) continue;
      for (const patch of patches) {
        const value = patch.get(column.slot);
        if (value === null || value === undefined) continue;
        given.set(nameOf(column.slot, value), {
          slot: column.slot,
          value: String(value),
          folded: isFolded(column),
        });
      }
    }
    const values = [projectId, this.dataset.id, JSON.stringify([...given.values()]), ids];
    const [stored = { uniques: null, rows: null, own: null }] = await tx.query<Loaded>(LOAD, values);
    const found = await over(stored, ids);
    for (const row of found.rows ?? []) this.rows.set(row.id, { ...row, changed: false });
    for (const { slot, value, key, row } of found.uniques ?? []) {
      this.#hashes.set(nameOf(slot, value), key);
      if (row !== null) this.#holders.set(`${slot} ${key}`, row);
    }
    for (const { slot, key, row } of found.own ?? []) this.#heldBy(row).set(slot, key);
  }

  /** The row that holds this value in a unique column. */
  holder(slot: string, value: Cell): MappedRow | undefined {
    return this.rows.get(this.#holders.get(`${slot} ${this.#hashes.get(nameOf(slot, value))}`) ?? "");
  }

  /** A new row, not in the map until `put`. */
  fresh(id: string = newId("row")): MappedRow {
    return { id, version: 0, cells: {}, changed: false };
  }

  /** Puts values into a row. If they are refused, returns the faults and changes nothing. */
  put(row: MappedRow, patch: RowPatch): Fault[] {
    const cells = { ...row.cells };
    let differs = !this.rows.has(row.id);
    for (const [slot, value] of patch) {
      differs ||= !isDeepStrictEqual(cells[slot] ?? null, value);
      if (value === null) delete cells[slot];
      else cells[slot] = value;
    }
    const touched = this.#touched(row, patch);
    const faults = [
      ...touched.flatMap((column) => this.#doubled(row, column, cells[column.slot])),
      ...this.#misfits(row, patch, cells),
    ];
    if (faults.length > 0) return faults;
    for (const { slot, unique } of touched) if (unique) this.#take(row.id, slot, cells[slot]);
    row.cells = cells;
    row.changed ||= differs;
    this.rows.set(row.id, row);
    return [];
  }

  /** What `put` would refuse, whoever has the unique values. */
  misfits(row: MappedRow, patch: RowPatch): Fault[] {
    const given = [...patch].filter(([, value]) => value !== null);
    const kept = Object.entries(row.cells).filter(([slot]) => !patch.has(slot));
    return this.#misfits(row, patch, Object.fromEntries([...kept, ...given]) as Record<string, Cell>);
  }

  #misfits(row: MappedRow, patch: RowPatch, cells: Record<string, Cell>): Fault[] {
    const faults = missingOf(this.#touched(row, patch), (slot) => cells[slot] !== undefined);
    if (Buffer.byteLength(JSON.stringify(cells)) > LARGEST)
      faults.push({ path: "", code: "row_too_large", message: "must not be larger than 64 KB" });
    return faults;
  }

  #touched = (row: MappedRow, patch: RowPatch): readonly Column[] =>
    this.columns.filter(({ slot }) => row.version === 0 || patch.has(slot));

  /** The hash of a unique value, and the row that holds it. */
  claimed(slot: string, value: Cell): { key: string; holder: string | undefined } {
    const key = this.#hashes.get(nameOf(slot, value)) ?? "";
    return { key, holder: this.#holders.get(`${slot} ${key}`) };
  }

  /** Gives a unique value of a row up, which another one and then the row itself get other values for. */
  release(row: string, slot: string): void {
    this.#take(row, slot, undefined);
  }

  /** Takes a row out, so that its unique values are free for others. It must be deleted before the map is saved. */
  remove(row: MappedRow): void {
    for (const { slot, unique } of this.columns) if (unique) this.#take(row.id, slot, undefined);
    this.rows.delete(row.id);
  }

  /** What to store. */
  changes(): {
    rows: MappedRow[];
    freed: { slot: string; value: string }[];
    taken: { slot: string; value: string; row_id: string }[];
  } {
    const freed = [...this.#freed].filter(([name]) => !this.#taken.has(name)).map(([, value]) => value);
    return {
      rows: [...this.rows.values()].filter(({ changed }) => changed),
      freed,
      taken: [...this.#taken.values()],
    };
  }

  #heldBy(row: string): Map<string, string> {
    const held = this.#held.get(row) ?? new Map<string, string>();
    this.#held.set(row, held);
    return held;
  }

  #doubled(row: MappedRow, { key, slot, unique }: Column, value: Cell | undefined): Fault[] {
    if (!unique || value === undefined) return [];
    const holder = this.#holders.get(`${slot} ${this.#hashes.get(nameOf(slot, value))}`);
    return holder === undefined || holder === row.id
      ? []
      : [{ path: key, code: "duplicate", message: `is already the value of ${holder}` }];
  }

  #take(row: string, slot: string, value: Cell | undefined): void {
    const held = this.#heldBy(row);
    const before = held.get(slot);
    const after = value === undefined ? undefined : this.#hashes.get(nameOf(slot, value));
    if (before === after) return;
    if (before !== undefined) {
      this.#holders.delete(`${slot} ${before}`);
      this.#taken.delete(`${slot} ${before}`);
      this.#freed.set(`${slot} ${before}`, { slot, value: before });
      held.delete(slot);
    }
    if (after === undefined) return;
    this.#holders.set(`${slot} ${after}`, row);
    this.#taken.set(`${slot} ${after}`, { slot, value: after, row_id: row });
    held.set(slot, after);
  }
}
