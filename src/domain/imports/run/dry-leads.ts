import { WRITABLE } from "../../../contract/lists/written-fields.ts";
import type { Transaction } from "../../../db/pool/database.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { type Identifier, identifiersOf } from "../../leads/identity/identifiers.ts";
import type { Remembered } from "./write-events.ts";

const COLUMNS = [...WRITABLE.keys(), "phone_e164", "custom", "created_at", "last_activity_at", "import_id"];
const IDENTIFYING = "id, external_id, email, emails, phone_e164, phones";

/** A lead as a dry run left it; `keys` are those of the events that it added, `fresh` says that it created the lead. */
interface DryLead {
  id: string;
  fresh: boolean;
  lead: object;
  keys: string[];
}

const TABLES = [
  "CREATE TEMP TABLE dry_lead (id text PRIMARY KEY, fresh boolean NOT NULL, lead jsonb NOT NULL, keys text[] NOT NULL) ON COMMIT DROP",
  "CREATE TEMP TABLE dry_key (key text NOT NULL, id text NOT NULL, PRIMARY KEY (key, id)) ON COMMIT DROP",
];

const KNOWN = `SELECT id, fresh, lead, keys FROM dry_lead
  WHERE id IN (SELECT dry_key.id FROM dry_key WHERE key = ANY ($1::text[])) ORDER BY id`;

/** Leads pass external ids on: first all give up theirs. */
const RELEASE =
  "UPDATE lead SET external_id = NULL WHERE project_id = $1 AND id = ANY ($2::text[]) AND external_id IS NOT NULL";

const GIVEN = `WITH s AS MATERIALIZED (
  SELECT r.* FROM jsonb_array_elements($2::jsonb) AS given, jsonb_populate_record(NULL::lead, given) AS r)`;

const CHANGE = `${GIVEN} UPDATE lead SET ${COLUMNS.map((name) => `${name} = s.${name}`).join(", ")}
  FROM s WHERE lead.project_id = $1 AND lead.id = s.id`;

const CREATE = `${GIVEN} INSERT INTO lead (project_id, id, ${COLUMNS.join(", ")}) SELECT $1, id, ${COLUMNS.join(", ")} FROM s`;

const READ = `SELECT id, to_jsonb(lead) - 'search_text' AS lead FROM lead WHERE project_id = $1 AND id = ANY ($2::text[])`;

const KEEP = `INSERT INTO dry_lead (id, fresh, lead, keys)
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS g (id text, fresh boolean, lead jsonb, keys text[])
  ON CONFLICT (id) DO UPDATE SET lead = excluded.lead, keys = dry_lead.keys || excluded.keys`;

const KEEP_KEYS = `INSERT INTO dry_key (key, id) SELECT DISTINCT * FROM jsonb_to_recordset($1::jsonb) AS g (key text, id text)
  ON CONFLICT DO NOTHING`;

/**
 * What a dry run would have stored so far, in temporary tables of its connection. Each batch is written by the commit's code
 * and rolled back; before it, the leads that its rows may be about are written as earlier batches left them. Nothing is held
 * in memory, however long the file is.
 */
export class DryLeads {
  readonly #tx: Transaction;
  readonly #projectId: string;
  readonly #country: string | null;

  private constructor(tx: Transaction, projectId: string, country: string | null) {
    this.#tx = tx;
    this.#projectId = projectId;
    this.#country = country;
  }

  static async open(tx: Transaction, projectId: string, country: string | null): Promise<DryLeads> {
    for (const table of TABLES) await tx.query(table);
    return new DryLeads(tx, projectId, country);
  }

  /** Writes what earlier batches did to leads that have or had one of these identifiers. */
  async repeat(identifiers: readonly Identifier[]): Promise<Remembered> {
    const keys = [...new Set(identifiers.map(({ key }) => key))];
    const known = keys.length === 0 ? [] : await this.#tx.query<DryLead>(KNOWN, [keys]);
    const stored = known.filter(({ fresh }) => !fresh);
    const made = known.filter(({ fresh }) => fresh);
    const given = (leads: readonly DryLead[]) => [
      this.#projectId,
      JSON.stringify(leads.map(({ lead }) => lead)),
    ];
    if (stored.length > 0) {
      await this.#tx.query(RELEASE, [this.#projectId, stored.map(({ id }) => id)]);
      await this.#tx.query(CHANGE, given(stored));
    }
    if (made.length > 0) await this.#tx.query(CREATE, given(made));
    return new Map(known.map(({ id, keys: own }) => [id, new Set(own)]));
  }

  /** Reads the leads that a batch wrote, before it is rolled back. */
  async read(leads: Remembered): Promise<Omit<DryLead, "fresh">[]> {
    if (leads.size === 0) return [];
    const found = await this.#tx.query<{ id: string; lead: object }>(READ, [
      this.#projectId,
      [...leads.keys()],
    ]);
    return found.map(({ id, lead }) => ({ id, lead, keys: [...(leads.get(id) ?? [])] }));
  }

  /** Remembers them, after it was rolled back, with the identifiers that stored ones had and have. */
  async keep(written: readonly Omit<DryLead, "fresh">[]): Promise<void> {
    if (written.length === 0) return;
    const text = `SELECT ${IDENTIFYING} FROM lead WHERE project_id = $1 AND id = ANY ($2::text[])`;
    const ids = written.map(({ id }) => id);
    const stored = await this.#tx.query<LeadPatch & { id: string }>(text, [this.#projectId, ids]);
    const known = new Set(stored.map(({ id }) => id));
    const leads = written.map((each) => ({ ...each, fresh: !known.has(each.id) }));
    const identities = [
      ...stored,
      ...written.map(({ lead, id }) => ({ ...lead, id })),
    ] as readonly (LeadPatch & {
      id: string;
    })[];
    const keys = identities.flatMap(({ id, ...lead }) =>
      identifiersOf(lead, this.#country, id).map(({ key }) => ({ key, id })),
    );
    await this.#tx.query(KEEP, [JSON.stringify(leads)]);
    await this.#tx.query(KEEP_KEYS, [JSON.stringify(keys)]);
  }
}
