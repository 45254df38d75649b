/** Returns a pseudo-random number generator, repeatable by its seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const TEXTS = [
  "",
  "São Paulo",
  "sao paulo",
  "Ávila",
  "avila & co",
  "50%_off",
  "a_b",
  "axb",
  "C:\\x",
  "Zoë",
  "o'Neil",
  "x",
  "日本 😀",
  "ÅNGSTRÖM",
  // Texts in ASCII are folded before their statement, except those with a capital I, others by the database.
  ...["Iris", "iris", "ISIK", "ışık", "IŞIK", "İstanbul", "istanbul"],
  ...["%", "_", "\\", "100\\%", "Straße", "STRASSE", "Łódź", "lodz"],
];
export const TAGS = ["hot", "cold", "vip", "Ünit", "a,b", "ILK", "ılk", "İLK", "ilk", "%"];
export const NUMBERS = [
  ...[-1e9, -7.25, -1, 0, -0, 0.001, 1, 3, 12.5, 99, 100, 4096, 65_537, 1e12],
  ...[0.1 + 0.2, 5e-324, -1e300, 1.7e308, 2 ** 53],
];
export const DAYS = ["2024-02-29", "2025-12-31", "2026-01-01", "2026-03-08", "2026-06-15", "2026-07-01"];
export const TIMES = [
  "2024-02-29T00:00:00+00:00",
  "2026-01-01T02:59:59+00:00",
  "2026-01-01T03:00:00+00:00",
  "2026-06-15T12:00:00+00:00",
  "2026-07-01T23:59:59.5-03:00",
];
export const EMAILS = [
  "ana@example.org",
  "ANA@Example.org",
  "bob@mail.example.com",
  "zoe@exämple.de",
  "x@b.co",
  ...["İris@example.org", "IRIS@EXAMPLE.ORG", "ıris@example.org", "a_b%@INCI.example", "ZOE@EXÄMPLE.de"],
];
export const PHONES = ["+5511912345678", "+14155552671", "+442079460958"];
export const ENUMS = ["new", "won", "Won", "lost"];

const DOMAINS = [
  ...["example.org", "@EXAMPLE.com", "mail.example.com"],
  ...["EXÄMPLE.de", "inci.example", "@INCI.EXAMPLE", "ınci.example"],
];
/** Parts of texts, some of which are wildcards in patterns. */
const PARTS = [
  ...["a", "av", "AVI", "são", "example", "", " ", "i", "I", "ı", "İ", "IS", "ŁÓ", "ss", "ß", "s'"],
  ...["%", "_", "\\", "%_", "\\%", "0%", "a_", "_b", ".*"],
];
/** Words of searches. */
const WORDS = [
  ...["a", "são", "PAULO", "I", "ı", "İs", "iris", "ł", "ß", "日本", "@example"],
  ...["%", "_", "\\", "50%_OFF"],
];

const FIELDS: Record<string, string[]> = {
  text: ["name", "first_name", "display_name", "company", "city", "source", "custom.plan"],
  email: ["email", "custom.mail"],
  phone: ["phone"],
  number: ["score", "value", "version", "custom.seats"],
  boolean: ["do_not_contact", "custom.active"],
  enum: ["status", "external_id", "custom.size"],
  tags: ["tags", "emails"],
  date: ["created_at", "first_touch", "custom.since", "custom.at"],
};

const TEXT_OPS = [
  "eq",
  "neq",
  "in",
  "not_in",
  "contains",
  "not_contains",
  "starts_with",
  "ends_with",
  "is_empty",
  "is_not_empty",
];
const OPS: Record<string, string[]> = {
  text: TEXT_OPS,
  email: [...TEXT_OPS, "domain_in"],
  phone: TEXT_OPS,
  number: ["eq", "neq", "gt", "gte", "lt", "lte", "between", "in", "not_in", "is_empty", "is_not_empty"],
  boolean: ["eq", "is_empty", "is_not_empty"],
  enum: ["eq", "neq", "in", "not_in", "is_empty", "is_not_empty"],
  tags: ["has_any", "has_all", "has_none", "is_empty", "is_not_empty"],
  date: [
    "eq",
    "before",
    "after",
    "on_or_before",
    "on_or_after",
    "between",
    "in_last",
    "not_in_last",
    "in_next",
    "older_than",
    "in_period",
    "is_empty",
    "is_not_empty",
  ],
};
const POOLS: Record<string, unknown[]> = {
  text: TEXTS,
  email: EMAILS,
  phone: PHONES,
  number: NUMBERS,
  boolean: [true, false],
  enum: ENUMS,
  tags: TAGS,
  date: [...DAYS, ...TIMES],
};

export type Condition = { field: string; op: string; value?: unknown };
export interface EventAsked {
  type?: string | string[];
  where?: AnyFilter;
  occurred?: { op: string; value: unknown };
  count?: { op: string; value: unknown };
  pick?: string;
}
interface DatasetAsked {
  key: string;
  where?: AnyFilter;
  count?: { op: string; value: unknown };
}
export type AnyFilter =
  | { and: AnyFilter[] }
  | { or: AnyFilter[] }
  | { not: AnyFilter }
  | { view: string }
  | { event: EventAsked }
  | { dataset: DatasetAsked }
  | Condition;

export const EVENT_TYPES = ["email.opened", "email.clicked", "emails.sent", "call.made", "lead.created"];

const EVENT_FIELDS: Record<string, string[]> = {
  text: ["type", "source", "title", "actor.type", "actor.label", "data.text", "data.mixed"],
  number: ["data.number", "data.mixed"],
  boolean: ["data.flag", "data.mixed"],
  date: ["occurred_at", "recorded_at", "data.day"],
};

export const pick = <T>(random: () => number, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T;

const ROW_FIELDS: Record<string, string[]> = {
  text: ["name", "city"],
  email: ["email"],
  phone: ["phone"],
  number: ["score"],
  boolean: ["flag"],
  enum: ["status"],
  date: ["since", "seen_at"],
};

/**
 * Returns a random filter of at most so many levels; `views` are ids that it may refer to, `datasets` keys.
 */
export function randomFilter(
  random: () => number,
  views: readonly string[] = [],
  depth = 3,
  datasets: readonly string[] = [],
): AnyFilter {
  return randomOf(random, depth, () => {
    if (datasets.length > 0 && random() < 0.3) return { dataset: randomDataset(random, datasets) };
    const roll = random();
    if (roll < 0.25) return { event: randomEvent(random) };
    return roll < 0.3 && views.length > 0 ? { view: pick(random, views) } : condition(random, FIELDS);
  });
}

/** Returns one or two random words of a search. */
export const randomSearch = (random: () => number): string =>
  Array.from({ length: random() < 0.7 ? 1 : 2 }, () => pick(random, WORDS)).join(" ");

function randomOf(random: () => number, depth: number, leaf: () => AnyFilter): AnyFilter {
  const roll = random();
  if (depth === 0 || roll < 0.5) return leaf();
  if (roll < 0.6) return { not: randomOf(random, depth - 1, leaf) };
  const list = Array.from({ length: Math.floor(random() * 4) }, () => randomOf(random, depth - 1, leaf));
  return roll < 0.8 ? { and: list } : { or: list };
}

function randomEvent(random: () => number): EventAsked {
  const asked: EventAsked = {};
  const roll = random();
  if (roll < 0.5) asked.type = pick(random, [...EVENT_TYPES, "never.seen"]);
  else if (roll < 0.7) asked.type = pick(random, ["email.*", "lead.*", "e.*"]);
  else if (roll < 0.9) asked.type = [pick(random, EVENT_TYPES), pick(random, ["email.*", ...EVENT_TYPES])];
  if (random() < 0.4) asked.where = randomOf(random, 1, () => condition(random, EVENT_FIELDS));
  if (random() < 0.4) {
    const op = pick(random, (OPS.date ?? []).slice(0, -2));
    asked.occurred = { op, value: operandOf(random, "date", op) };
  }
  if (random() < 0.6) asked.count = randomCount(random, 4);
  if (random() < 0.4) asked.pick = pick(random, ["any", "first", "last"]);
  return asked;
}

function randomDataset(random: () => number, datasets: readonly string[]): DatasetAsked {
  const asked: DatasetAsked = { key: pick(random, datasets) };
  if (random() < 0.7) asked.where = randomOf(random, 1, () => condition(random, ROW_FIELDS));
  if (random() < 0.5) asked.count = randomCount(random, 8);
  return asked;
}

function randomCount(random: () => number, most: number): { op: string; value: unknown } {
  const op = pick(random, ["eq", "neq", "gt", "gte", "lt", "lte", "between"]);
  const n = () => Math.floor(random() * most);
  return { op, value: op === "between" ? [n(), n()] : n() };
}

function condition(random: () => number, fields: Record<string, string[]>): Condition {
  const type = pick(random, Object.keys(fields));
  const field = pick(random, fields[type] ?? []);
  const op = pick(random, OPS[type] ?? []);
  if (op.startsWith("is_")) return { field, op };
  return { field, op, value: operandOf(random, type, op) };
}

function operandOf(random: () => number, type: string, op: string): unknown {
  const pool = POOLS[type] ?? [];
  if (op === "between") return [pick(random, pool), pick(random, pool)];
  if (op === "in_period")
    return pick(random, [
      "today",
      "yesterday",
      "this_week",
      "last_month",
      "this_quarter",
      "last_year",
      "next_year",
    ]);
  if (/_last$|_next$|^older/.test(op))
    return { n: pick(random, [1, 2, 10, 30]), unit: pick(random, ["hour", "day", "week", "month", "year"]) };
  if (op === "domain_in") return [pick(random, DOMAINS)];
  if (/in$|^has_/.test(op)) return Array.from({ length: Math.floor(random() * 4) }, () => pick(random, pool));
  if (type === "phone" && /contains|with/.test(op)) return pick(random, ["+55", "5678", "(11) 9", "555"]);
  if (/contains|with/.test(op)) return pick(random, PARTS);
  return pick(random, pool);
}
