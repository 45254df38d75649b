import type { Transaction } from "../../../db/pool/database.ts";
import type { RowIdentityMap } from "./row-identity-map.ts";

const KEEP = `WITH rows AS (
    INSERT INTO dry_row (id, version, cells) SELECT id, version, cells
    FROM jsonb_to_recordset($1::jsonb) AS g (id text, version integer, cells jsonb)
    ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, cells = EXCLUDED.cells
  ) INSERT INTO dry_unique (slot, value, row_id) SELECT slot, decode(value, 'hex'), row_id
    FROM jsonb_to_recordset($2::jsonb) AS g (slot text, value text, row_id text)
    ON CONFLICT (slot, value) DO UPDATE SET row_id = EXCLUDED.row_id`;

/**
 * What a dry run would have stored so far, in temporary tables of its transaction. The dataset is not locked and
 * nothing is held in memory, however long the file is.
 */
export class DryRows {
  readonly #tx: Transaction;

  private constructor(tx: Transaction) {
    this.#tx = tx;
  }

  static async open(tx: Transaction): Promise<DryRows> {
    await tx.query(
      `CREATE TEMP TABLE dry_row (id text COLLATE "C" PRIMARY KEY, version integer, cells jsonb) ON COMMIT DROP`,
    );
    await tx.query(`CREATE TEMP TABLE dry_unique (slot text COLLATE "C", value bytea, row_id text COLLATE "C",
      PRIMARY KEY (slot, value)) ON COMMIT DROP`);
    await tx.query("CREATE INDEX ON dry_unique (row_id)");
    return new DryRows(tx);
  }

  /** Remembers the decisions of an identity map. A freed value has no holder. */
  async keep(identityMap: RowIdentityMap): Promise<void> {
    const { rows, freed, taken } = identityMap.changes();
    if (rows.length === 0) return;
    const kept = rows.map(({ id, version, cells }) => ({ id, version: version + 1, cells }));
    const uniques = [...freed.map((each) => ({ ...each, row_id: null })), ...taken];
    await this.#tx.query(KEEP, [JSON.stringify(kept), JSON.stringify(uniques)]);
  }
}
