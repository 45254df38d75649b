import type { Transaction } from "../../../db/pool/database.ts";
import type { Loaded, RowIdentityMap } from "./row-identity-map.ts";

const KEEP = `WITH rows AS (
    INSERT INTO dry_row (id, version, cells) SELECT id, version, cells
    FROM jsonb_to_recordset($1::jsonb) AS g (id text, version integer, cells jsonb)
    ON CONFLICT (id) DO UPDATE SET version = EXCLUDED.version, cells = EXCLUDED.cells
  ) INSERT INTO dry_unique (slot, value, row_id) SELECT slot, decode(value, 'hex'), row_id
    FROM jsonb_to_recordset($2::jsonb) AS g (slot text, value text, row_id text)
    ON CONFLICT (slot, value) DO UPDATE SET row_id = EXCLUDED.row_id`;

/** What is remembered of unique values and of rows, and the unique values of remembered rows. */
const REMEMBERED = `WITH known AS MATERIALIZED (
    SELECT u.slot, encode(u.value, 'hex') AS key, u.row_id AS holder
    FROM jsonb_to_recordset($1::jsonb) AS g (slot text, key text) JOIN dry_unique u ON u.slot = g.slot AND u.value = decode(g.key, 'hex')
  ), meant AS MATERIALIZED (
    SELECT id, version, cells FROM dry_row WHERE id = ANY ($2::text[] || ARRAY(SELECT holder FROM known WHERE holder IS NOT NULL))
  )
  SELECT (SELECT json_agg(known) FROM known) AS known, (SELECT json_agg(meant) FROM meant) AS rows,
    (SELECT json_agg(json_build_object('slot', slot, 'key', encode(value, 'hex'), 'row', row_id)) FROM dry_unique
     WHERE row_id IN (SELECT id FROM meant)) AS own`;

/** Values that are remembered; one that was freed has no row. */
interface Remembered {
  known: { slot: string; key: string; holder: string | null }[] | null;
  rows: Loaded["rows"];
  own: Loaded["own"];
}

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

  /** Puts what is remembered over the stored rows, of which these `ids` were asked for. */
  async over({ uniques, rows, own }: Loaded, ids: readonly string[]): Promise<Loaded> {
    const asked = [...(uniques ?? []), ...(own ?? [])].map(({ slot, key }) => ({ slot, key }));
    const stored = rows ?? [];
    const values = [JSON.stringify(asked), [...ids, ...stored.map(({ id }) => id)]];
    const [remembered] = await this.#tx.query<Remembered>(REMEMBERED, values);
    const nameOf = ({ slot, key }: { slot: string; key: string }) => `${slot} ${key}`;
    const known = new Map((remembered?.known ?? []).map((each) => [nameOf(each), each.holder]));
    const fresh = remembered?.rows ?? [];
    const isFresh = new Set(fresh.map(({ id }) => id));
    return {
      uniques: (uniques ?? []).map((each) => {
        const row = known.get(nameOf(each));
        return row === undefined ? each : { ...each, row };
      }),
      rows: [...stored.filter(({ id }) => !isFresh.has(id)), ...fresh],
      own: [...(own ?? []).filter((each) => !known.has(nameOf(each))), ...(remembered?.own ?? [])],
    };
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
