import type { Transaction } from "../../../db/pool/database.ts";
import { columnArrays } from "../../sql/column-arrays.ts";
import { columnsOf, type MappedLead } from "./lead-identity-map.ts";
import { givesUpExternalId, leadColumns, RELEASE } from "./write-leads.ts";

/** A lead as a dry run left it: `keys` are its events' keys, `fresh` is set if the dry run created it. */
export type DryLead = Record<string, unknown> & { id: string; fresh: boolean; keys: string[] };

/**
 * What a dry run would have stored so far, in a temporary table of its connection. Nothing is held in memory,
 * however long the file is.
 */
export class DryLeads {
  readonly #tx: Transaction;
  readonly #columns: string[];
  /** Whether a stored lead gave up its external id. */
  #gaveUp = false;

  private constructor(tx: Transaction, fields: readonly string[]) {
    this.#tx = tx;
    this.#columns = columnsOf(fields);
  }

  static async open(tx: Transaction, fields: readonly string[]): Promise<DryLeads> {
    const dry = new DryLeads(tx, fields);
    const empty = `SELECT id, false AS fresh, '{}'::text[] AS keys, ${dry.#columns.join(", ")} FROM lead WITH NO DATA`;
    await tx.query(`CREATE TEMP TABLE dry_lead ON COMMIT DROP AS ${empty}`);
    await tx.query("CREATE UNIQUE INDEX ON dry_lead (id)");
    await tx.query("CREATE INDEX ON dry_lead (external_id) WHERE external_id IS NOT NULL");
    await tx.query("CREATE INDEX ON dry_lead (lower(email)) WHERE email IS NOT NULL");
    if (dry.#columns.includes("phone_e164"))
      await tx.query("CREATE INDEX ON dry_lead (phone_e164) WHERE phone_e164 IS NOT NULL");
    return dry;
  }

  /** Returns the remembered leads with one of these ids or identities. */
  async find(
    ids: readonly string[],
    { external, emails, phones }: Record<"external" | "emails" | "phones", readonly string[]>,
  ): Promise<Map<string, DryLead>> {
    const byPhone = phones.length > 0 ? " OR phone_e164 = ANY($4)" : "";
    const found = await this.#tx.query<DryLead>(
      `SELECT * FROM dry_lead WHERE id = ANY($1) OR external_id = ANY($2) OR lower(email) = ANY($3)${byPhone} ORDER BY id`,
      [ids, external, emails, ...(phones.length > 0 ? [phones] : [])],
    );
    return new Map(found.map((lead) => [lead.id, lead]));
  }

  /** Frees, in the batch that is rolled back, external ids whose leads gave them up in earlier batches. */
  async release(projectId: string, leads: readonly MappedLead[]): Promise<void> {
    if (!this.#gaveUp) return;
    const wanted = leads.filter((lead) => lead.changed).map((lead) => lead.values.get("external_id"));
    const holders = await this.#tx.query<{ id: string; external_id: string }>(
      "SELECT id, external_id FROM lead WHERE project_id = $1 AND external_id = ANY ($2::text[])",
      [projectId, wanted.filter((id) => typeof id === "string")],
    );
    const freed = await this.#tx.query<{ id: string }>(
      `SELECT id FROM dry_lead JOIN unnest($1::text[], $2::text[]) AS holder (id, external_id) USING (id)
       WHERE NOT fresh AND dry_lead.external_id IS DISTINCT FROM holder.external_id`,
      [holders.map(({ id }) => id), holders.map((each) => each.external_id)],
    );
    if (freed.length === 0) return;
    await this.#tx.query(RELEASE, [projectId, freed.map(({ id }) => id)]);
  }

  /** Remembers the result of a batch; `made` are all leads that the dry run created. */
  async keep(
    leads: readonly MappedLead[],
    made: ReadonlySet<MappedLead>,
    blanks: Record<string, unknown>,
  ): Promise<void> {
    this.#gaveUp ||= leads.some(givesUpExternalId);
    const columns = this.#columns;
    const arrays = columnArrays<MappedLead>(
      [
        ...leadColumns(columns, blanks),
        ["fresh", "boolean", (lead) => made.has(lead)],
        ["keys", "text[]", (lead) => [...lead.events]],
      ],
      leads,
    );
    const changing = [...columns, "fresh", "keys"];
    const set = changing.map((name) => `${name} = EXCLUDED.${name}`).join(", ");
    await this.#tx.query(
      `INSERT INTO dry_lead (id, ${changing.join(", ")}) SELECT * FROM ${arrays.sql(1)} AS s ON CONFLICT (id) DO UPDATE SET ${set}`,
      arrays.values,
    );
  }
}
