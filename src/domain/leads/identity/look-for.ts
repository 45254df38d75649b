import type { ProjectDb, Queryable } from "../../../db/pool/database.ts";
import type { Row, Statement } from "../../../db/wire/statement-batch.ts";
import type { Parameters } from "../../sql/parameters.ts";
import { e164Of, internationalOf } from "../../values/read-phone.ts";
import { type Found, Holders } from "./holders.ts";
import type { Identifier } from "./identifiers.ts";

const FOUND = `id, external_id, lower(email) AS email, phone, phone_e164, nullif(lower_all(emails), '{}') AS emails, nullif(phones, '{}') AS phones,
  version, CASE WHEN merged_into_id IS NULL THEN id ELSE survivor($1, id) END AS owner`;

const KINDS = ["id", "external_id", "email", "phone"] as const;

/**
 * Conditions by which a lead has one of the values of an array as its main identifier, and as a further one; each has an index.
 * The one of further numbers, which may be written in any way, has their ends.
 */
const HAS: Record<Identifier["kind"], (values: string, ends: string) => readonly string[]> = {
  id: (values) => [`id = ANY (${values}) AND merged_into_id IS NULL`],
  external_id: (values) => [`external_id = ANY (${values})`],
  email: (values) => [`lower(email) = ANY (${values})`, `emails <> '{}' AND lower_all(emails) && ${values}`],
  phone: (values, ends) => [
    `phone_e164 = ANY (${values})`,
    `phones <> '{}' AND phone_ends(phones) && ${ends}`,
  ],
};

/** The conditions for one value. */
const hasOne = (kind: Identifier["kind"], value: string): readonly string[] =>
  HAS[kind](`ARRAY[${value}]`, `ARRAY[right(${value}, 8)]`);

/**
 * As JSON, whose length the planner does not know: of an array with one value it would make a new plan each time, expecting
 * that to be cheaper than the one it keeps, and planning takes ten times as long as the search.
 */
const valuesSql = (parameter: string): string =>
  `jsonb_array_elements_text(${parameter}::jsonb) AS given (value)`;

const hasSome = (kind: Identifier["kind"], parameter: string): readonly string[] =>
  HAS[kind](
    `ARRAY(SELECT value FROM ${valuesSql(parameter)})`,
    `ARRAY(SELECT right(value, 8) FROM ${valuesSql(parameter)})`,
  );

/** OFFSET 0: with a limit or a condition for deleted leads, the planner would scan all leads, or another index, hoping to meet matches soon. */
const findSql = (conditions: readonly string[], writes: string): string => {
  const parts = conditions.map(
    (condition) =>
      `SELECT ${FOUND}, deleted_at IS NULL AS is_there FROM lead WHERE project_id = $1 AND ${condition}`,
  );
  return `SELECT found.*${writes} FROM (${parts.join(" UNION ALL ")} OFFSET 0) AS found WHERE is_there LIMIT $2`;
};

/** The same for values that many leads have: of each, the first ones, and before those that were merged. */
const findFirstSql = (kinds: readonly Identifier["kind"][]): string => {
  const parts = kinds.flatMap((kind, i) =>
    hasOne(kind, "given.value").map(
      (condition) => `SELECT found.* FROM ${valuesSql(`$${i + 3}`)}, LATERAL (
        SELECT ${FOUND} FROM (SELECT lead.* FROM lead WHERE project_id = $1 AND ${condition} OFFSET 0) AS lead
        WHERE deleted_at IS NULL ORDER BY merged_into_id IS NOT NULL, id LIMIT $2) AS found`,
    ),
  );
  return parts.join(" UNION ALL ");
};

/** The leads that are read before values count as shared by many. */
const MOST = 100;
/** How many leads that have such a value are looked at. */
const MOST_SHARING = 20;

const SURVIVORS = `SELECT ${FOUND} FROM lead WHERE project_id = $1 AND id = ANY ($2::text[])`;

/** Whether the key that asks may write leads: one that may only create them changes less of those that are found. */
const writesSql = (key: string): string =>
  `, (SELECT 'leads:write' = ANY (permissions) FROM api_key WHERE project_id = $1 AND id = ${key}) AS writes`;

/** The texts so far: there are four kinds, and one value or several of each. */
const texts = new Map<string, string>();

function textFor(kinds: readonly { kind: Identifier["kind"]; isOne: boolean }[], asks: boolean): string {
  const name = [asks, ...kinds.map(({ kind, isOne }) => `${kind} ${isOne}`)].join();
  const known = texts.get(name);
  if (known !== undefined) return known;
  const conditions = kinds.flatMap(({ kind, isOne }, i) => (isOne ? hasOne : hasSome)(kind, `$${i + 3}`));
  const text =
    kinds.length === 0
      ? "SELECT WHERE false"
      : findSql(conditions, asks ? writesSql(`$${kinds.length + 3}`) : "");
  texts.set(name, text);
  return text;
}

/** Who has some identifiers: the statement that finds them, and the reading of its rows. Locks must be sent before it. */
export interface Look {
  statement: Statement;
  read(db: Pick<Queryable, "query">, rows: readonly Row[]): Promise<Holders>;
}

interface Asking {
  most?: number | undefined;
  key?: string | undefined;
}

/** Looks for who has these identifiers. `country` is the project's; with a `key`, the holders tell whether it may write leads. */
export function lookFor(
  projectId: string,
  identifiers: Iterable<Identifier>,
  country: string | null,
  { most = MOST_SHARING, key }: Asking = {},
): Look {
  const of = Map.groupBy(identifiers, ({ kind }) => kind);
  const kinds = KINDS.filter((kind) => of.has(kind));
  const lists = kinds.map((kind) => [...new Set(of.get(kind)?.map(({ value }) => value))]);
  const limit = lists.reduce((sum, list) => sum + list.length, MOST);
  const given = lists.map((list) => (list.length === 1 ? list[0] : JSON.stringify(list)));
  const text = textFor(
    kinds.map((kind, i) => ({ kind, isOne: lists[i]?.length === 1 })),
    key !== undefined,
  );
  const values = kinds.length === 0 ? [] : [projectId, limit, ...given, ...(key === undefined ? [] : [key])];
  return {
    statement: { text, values },
    async read(db, rows) {
      const holders = new Holders();
      holders.onlyFills = key !== undefined && rows.length > 0 && rows[0]?.writes !== true;
      const all = lists.map((list) => JSON.stringify(list));
      const found =
        rows.length < limit ? rows : await db.query<Row>(findFirstSql(kinds), [projectId, most, ...all]);
      holders.read(found as Found[], country);
      const missing = holders.missing;
      if (missing.length > 0) holders.read(await db.query<Found>(SURVIVORS, [projectId, missing]), country);
      return holders;
    },
  };
}

/** Reads who has these identifiers. */
export async function readHolders(
  db: Pick<ProjectDb, "query">,
  projectId: string,
  identifiers: Iterable<Identifier>,
  country: string | null,
  more?: Asking,
): Promise<Holders> {
  const { statement, read } = lookFor(projectId, identifiers, country, more);
  return await read(db, await db.query<Row>(statement.text, [...statement.values], { prepare: true }));
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
  const conditions = identifiers.flatMap(({ kind, value }) => hasOne(kind, parameters.text(value)));
  if (conditions.length === 0) return "";
  const none = (condition: string) =>
    `(SELECT count(*) FROM lead WHERE project_id = ${project} AND deleted_at IS NULL AND ${condition}) = 0`;
  return `WHERE ${conditions.map(none).join(" AND ")}`;
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
  const texts = hasOne(kind, "$2").map(
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
