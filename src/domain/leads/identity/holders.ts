import type { ProjectDb, Queryable } from "../../../db/pool/database.ts";
import type { Row, Statement } from "../../../db/wire/statement-batch.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import type { Parameters } from "../../sql/parameters.ts";
import { e164Of, internationalOf } from "../../values/read-phone.ts";
import { type Identifier, keyOf } from "./identifiers.ts";

/** How a lead has an identifier: as its main one, as a further one, or because a lead had it that was merged into it. */
export const MAIN = 0;
export const FURTHER = 1;
const MERGED = 2;

/** A lead that is neither deleted nor merged, and which of its identifiers it has. */
export interface KnownLead {
  id: string;
  external_id: string | null;
  /** In lower case. */
  email: string | null;
  /** In E.164, or as it was written if that is no number. */
  phone: string | null;
  /** Whether it has further ones. */
  emails: boolean;
  phones: boolean;
  /** Undefined if it is not known or was changed meanwhile. */
  version: number | undefined;
}

interface Found extends Row {
  kind: Identifier["kind"];
  value: string;
  id: string;
  /** The lead that a merged one is now; null for a merged lead whose survivor was deleted. */
  owner: string | null;
  external_id: string | null;
  email: string | null;
  phone: string | null;
  emails: boolean;
  phones: boolean;
  version: number;
  way: number;
  /** For a further phone, as they were written: the index has only their ends. */
  numbers: string[] | null;
}

const KNOWN = `id, external_id, lower(email) AS email, coalesce(phone_e164, phone) AS phone, emails <> '{}' AS emails,
  phones <> '{}' AS phones, version`;

const KINDS = ["id", "external_id", "email", "phone"] as const;

/** Conditions by which a lead has a value as its main identifier, and as a further one; each has an index. */
const HAS: Record<Identifier["kind"], (value: string) => readonly string[]> = {
  id: (value) => [`id = ${value} AND merged_into_id IS NULL`],
  external_id: (value) => [`external_id = ${value}`],
  email: (value) => [`lower(email) = ${value}`, `emails <> '{}' AND lower_all(emails) @> ARRAY[${value}]`],
  // The index has the ends of further numbers, which may be written in any way.
  phone: (value) => [
    `phone_e164 = ${value}`,
    `phones <> '{}' AND phone_ends(phones) @> ARRAY[right(${value}, 8)]`,
  ],
};

/** How many leads that have one value are looked at, unless more are asked for. */
const MOST = 20;

/**
 * The leads that have one of the values of a parameter. OFFSET 0: without it, the limit makes the planner scan all leads by
 * id, hoping to meet matches soon. Only behind it are leads without those that are deleted: before ANALYZE, the planner takes an index of
 * those for a short one.
 */
const part = (
  kind: Identifier["kind"],
  given: string,
  condition: string,
  way: number,
): string => `SELECT '${kind}' AS kind, given.value, found.* FROM ${given}, LATERAL (
    SELECT ${KNOWN}, CASE WHEN merged_into_id IS NULL THEN id ELSE survivor($1, id) END AS owner,
      CASE WHEN merged_into_id IS NULL THEN ${way} ELSE ${MERGED} END AS way,
      ${kind === "phone" && way === FURTHER ? "phones" : "NULL::text[]"} AS numbers
    FROM (SELECT lead.* FROM lead WHERE project_id = $1 AND ${condition} OFFSET 0) AS lead
    WHERE deleted_at IS NULL ORDER BY merged_into_id IS NOT NULL, id LIMIT $2) AS found`;

/**
 * As JSON, whose length the planner does not know: of an array with one value it would make a new plan each time, expecting that to be cheaper than the one it
 * keeps, and planning takes ten times as long as the search.
 */
const values = (parameter: number): string =>
  `jsonb_array_elements_text($${parameter}::jsonb) AS given (value)`;

const SURVIVORS = `SELECT ${KNOWN} FROM lead WHERE project_id = $1 AND id = ANY ($2::text[])`;

/** The statement that finds who has these identifiers. One that locks them must be sent before it. */
export function holdersStatement(
  projectId: string,
  identifiers: Iterable<Identifier>,
  most = MOST,
): Statement {
  const of: Record<Identifier["kind"], Set<string>> = {
    ...{ id: new Set(), external_id: new Set(), email: new Set(), phone: new Set() },
  };
  for (const { kind, value } of identifiers) of[kind].add(value);
  const kinds = KINDS.filter((kind) => of[kind].size > 0);
  if (kinds.length === 0) return { text: "SELECT WHERE false", values: [] };
  const lists = kinds.map((kind) => JSON.stringify([...of[kind]]));
  return { text: findSql(kinds), values: [projectId, most, ...lists] };
}

/** The text for each choice of kinds: there are fifteen. */
const texts = new Map<string, string>();

function findSql(kinds: readonly Identifier["kind"][]): string {
  const known = texts.get(kinds.join());
  if (known !== undefined) return known;
  const parts = kinds.flatMap((kind, i) =>
    HAS[kind]("given.value").map((condition, way) => part(kind, values(i + 3), condition, way)),
  );
  const text = parts.join(" UNION ALL ");
  texts.set(kinds.join(), text);
  return text;
}

/**
 * Returns a WHERE that nothing passes if any lead, merged ones too, has one of these identifiers. Leads are counted, because
 * PostgreSQL would hope to meet one soon in an index of all leads.
 */
export function unlessHeldSql(
  identifiers: readonly Identifier[],
  project: string,
  parameters: Parameters,
): string {
  const conditions = identifiers.flatMap(({ kind, value }) => HAS[kind](parameters.text(value)));
  if (conditions.length === 0) return "";
  const none = (condition: string) =>
    `(SELECT count(*) FROM lead WHERE project_id = ${project} AND deleted_at IS NULL AND ${condition}) = 0`;
  return `WHERE ${conditions.map(none).join(" AND ")}`;
}

/** Reads who has these identifiers. `country` is the project's. */
export async function readHolders(
  db: Pick<ProjectDb, "query">,
  projectId: string,
  identifiers: Iterable<Identifier>,
  country: string | null,
  most?: number,
): Promise<Holders> {
  const { text, values } = holdersStatement(projectId, identifiers, most);
  return await holdersAmong(
    db,
    projectId,
    await db.query<Row>(text, [...values], { prepare: true }),
    country,
  );
}

/** Reads the rest of what the rows of that statement tell: the survivors of merged leads. */
export async function holdersAmong(
  db: Pick<Queryable, "query">,
  projectId: string,
  rows: readonly Row[],
  country: string | null,
): Promise<Holders> {
  const holders = new Holders();
  const found = rows as unknown as Found[];
  const survivors = new Set<string>();
  for (const { kind, value, id, owner, way, numbers, version, ...lead } of found) {
    if (owner === null || (numbers !== null && !numbers.some((each) => e164Of(each, country) === value)))
      continue;
    if (way === MERGED) survivors.add(owner);
    else holders.leads.set(id, { ...lead, id, version });
    holders.add(owner, keyOf({ kind, value }), way);
  }
  const missing = [...survivors].filter((id) => !holders.leads.has(id));
  if (missing.length > 0)
    for (const lead of await db.query<KnownLead>(SURVIVORS, [projectId, missing]))
      holders.leads.set(lead.id, lead);
  return holders;
}

/** Numbers as they were written are found by their end, with the index lead_phone_digits, and read afterwards. */
const BY_DIGITS = `SELECT id, CASE WHEN phone_e164 IS NULL AND phone IS NOT NULL THEN phones || phone ELSE phones END AS numbers FROM lead
  WHERE project_id = $1 AND (phone IS NOT NULL OR phones <> '{}') AND phone_digits(phone, phone_e164, phones) LIKE '%' || $2 || '%'`;

/** Returns the ids of all leads that have an e-mail or a phone in any way, deleted and merged ones too. */
export async function everyHolder(
  db: Pick<Queryable, "query">,
  projectId: string,
  { kind, value }: Pick<Identifier, "kind" | "value">,
  country: string | null,
): Promise<string[]> {
  const texts = HAS[kind]("$2").map(
    (condition) => `SELECT id FROM lead WHERE project_id = $1 AND ${condition}`,
  );
  const all = kind === "phone" ? texts.slice(0, 1) : texts;
  const found = await db.query<{ id: string }>(all.join(" UNION "), [projectId, value]);
  const ids = new Set(found.map(({ id }) => id));
  if (kind === "phone") {
    const end = (internationalOf(value)?.national ?? value.replace(/\D/g, "")).slice(-8);
    const written = await db.query<{ id: string; numbers: string[] }>(BY_DIGITS, [projectId, end]);
    for (const { id, numbers } of written)
      if (numbers.some((each) => e164Of(each, country) === value)) ids.add(id);
  }
  return [...ids];
}

/**
 * Who has which identifiers, while a call or a batch decides about its records one by one: a later record finds what an
 * earlier one is going to write.
 */
export class Holders {
  readonly leads = new Map<string, KnownLead>();
  readonly #of = new Map<string, Map<string, Set<number>>>();

  /** The leads that have the identifier, and in which way most nearly. */
  of(identifier: Pick<Identifier, "kind" | "value">): ReadonlyMap<string, number> {
    const known = this.#of.get(keyOf(identifier));
    if (known === undefined) return NOBODY;
    return new Map([...known].map(([id, ways]) => [id, Math.min(...ways)]));
  }

  has(id: string, identifier: Pick<Identifier, "kind" | "value">): boolean {
    return this.#of.get(keyOf(identifier))?.has(id) ?? false;
  }

  add(id: string, key: string, way: number): void {
    const known = this.#of.get(key) ?? new Map<string, Set<number>>();
    this.#of.set(key, known.set(id, (known.get(id) ?? new Set<number>()).add(way)));
  }

  /** Notes a lead that is going to be created. */
  create(id: string, identifiers: readonly Identifier[]): void {
    const main = (field: Identifier["field"]) =>
      identifiers.find((each) => each.field === field)?.value ?? null;
    this.leads.set(id, {
      ...{
        id,
        external_id: main("external_id"),
        email: main("email"),
        phone: main("phone"),
        version: undefined,
      },
      emails: identifiers.some(({ field }) => field === "emails"),
      phones: identifiers.some(({ field }) => field === "phones"),
    });
    for (const each of identifiers) this.add(id, keyOf(each), wayOf(each));
  }

  /** Notes the identifiers that a lead is going to get, and which main ones it gives up for them. */
  give(id: string, identifiers: readonly Identifier[]): void {
    const lead = this.leads.get(id);
    if (lead === undefined) return;
    lead.version = undefined;
    for (const each of identifiers) {
      const { kind, field, value } = each;
      if (field === "emails" || field === "phones") lead[field] = true;
      else if (field !== "id" && lead[field] !== value) {
        this.#remove(id, keyOf({ kind, value: lead[field] ?? "" }), MAIN);
        lead[field] = value;
      }
      this.add(id, keyOf(each), wayOf(each));
    }
  }

  /** Notes which identifiers a lead is going to lose: main ones that a patch empties, and further ones whose list it sets. */
  take(id: string, patch: LeadPatch): void {
    const lead = this.leads.get(id);
    if (lead === undefined) return;
    for (const field of ["external_id", "email", "phone"] as const) {
      if (patch[field] !== null) continue;
      this.#remove(id, keyOf({ kind: field, value: lead[field] ?? "" }), MAIN);
      lead[field] = null;
    }
    for (const [list, kind] of [["emails", "email"] as const, ["phones", "phone"] as const]) {
      if (!Array.isArray(patch[list])) continue;
      lead[list] = false;
      for (const key of this.#of.keys()) if (key.startsWith(`${kind} `)) this.#remove(id, key, FURTHER);
    }
  }

  #remove(id: string, key: string, way: number): void {
    const ways = this.#of.get(key)?.get(id);
    ways?.delete(way);
    if (ways?.size === 0) this.#of.get(key)?.delete(id);
  }
}

const NOBODY: ReadonlyMap<string, number> = new Map();

const wayOf = ({ field }: Identifier): number => (field === "emails" || field === "phones" ? FURTHER : MAIN);
