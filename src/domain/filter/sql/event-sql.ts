import { AFTER_CREATED } from "../read/event-field.ts";
import { constantOf } from "../tree/constant-filter.ts";
import type { EventCondition, Filter } from "../tree/filter.ts";
import { momentSql, rangeSql } from "./range-sql.ts";
import type { StatementScope } from "./statement-scope.ts";

/**
 * The cost in µs of searching one lead's timeline and of reading one event by type, measured with a million events.
 */
const PROBE = 60;
const READ = 10;

/** Up to this number, events are read first even if the planner could join them. */
const FEW = 2_000;

/**
 * Returns the condition on a lead's events. Two plans give the same result: search each lead's timeline until the
 * page is full (common events), or read all events of the type once (rare ones).
 */
export function eventSql(
  event: EventCondition,
  scope: StatementScope,
  filterSql: (filter: Filter, scope: StatementScope) => string,
): string {
  const { least, most = Number.POSITIVE_INFINITY } = event.count;
  // "Not in the last 180 days" is about the lead, not each event: a lead with an old and a new event must not
  // match.
  const negated = event.count.negated !== (event.occurred?.negated ?? false);
  const counts: Counts = event.pick === "any" ? { least, most } : { least, most: Math.min(most, 1) };
  const whole = event.pick === "any" ? Number.POSITIVE_INFINITY : 1;
  // Decided before a parameter is added: PostgreSQL rejects parameters that the statement does not use.
  if (least > counts.most) return String(negated);
  if (least === 0 && counts.most === whole) return String(!negated);
  // Citus does not plan NOT EXISTS of what is false for every event.
  if (event.where !== undefined && constantOf(event.where) === false)
    return String((least === 0) !== negated);
  const where = event.where === undefined ? [] : [`(${filterSql(event.where, scope)})`];
  const asked = [...occurredSql(event, scope), ...where];
  const sql =
    event.pick === "any" ? anySql(event, asked, counts, scope) : pickedSql(event, asked, counts, scope);
  return negated ? `NOT ${sql}` : sql;
}

/** Returns the condition on the event type; a prefix such as `email.*` is an index range. */
export function typeSql(types: readonly string[], { parameters }: StatementScope): string[] {
  if (types.length === 0) return [];
  const whole = types.filter((type) => !type.endsWith(".*"));
  const [only] = whole;
  const parts = types
    .filter((type) => type.endsWith(".*"))
    .map((type) => type.slice(0, -1))
    // In the column's byte order `email/` sorts right after everything that starts with `email.`.
    .map(
      (stem) => `e.type >= ${parameters.text(stem)} AND e.type < ${parameters.text(`${stem.slice(0, -1)}/`)}`,
    );
  if (whole.length === 1 && only !== undefined) parts.push(`e.type = ${parameters.text(only)}`);
  if (whole.length > 1) parts.push(`e.type = ANY (${parameters.texts(whole)})`);
  return parts.length === 1 ? parts : [`(${parts.map((part) => `(${part})`).join(" OR ")})`];
}

/** Returns the condition on the event's time; of "not in the last", the positive form. */
export function occurredSql({ occurred }: EventCondition, scope: StatementScope): string[] {
  if (occurred === undefined) return [];
  return [rangeSql("e.occurred_at", occurred.range, (point) => momentSql(point, scope))];
}

const OWN = "e.lead_id = lead.id";

/** From `least` to `most` events, never a range that includes every number. */
interface Counts {
  least: number;
  most: number;
}

function anySql(
  event: EventCondition,
  asked: readonly string[],
  { least, most }: Counts,
  scope: StatementScope,
): string {
  const where = [`e.project_id = ${scope.project}`, ...typeSql(event.types, scope), ...asked];
  const isOpen = most === Number.POSITIVE_INFINITY;
  // a condition on the lead's own data cannot be evaluated once for all leads
  const isOwn = asked.some((each) => each.includes(AFTER_CREATED));
  if (!isOwn && isRare(event, { least, most }, scope)) {
    // "at most n" as "not more than n", which also finds leads without events
    const having =
      least === 0 ? `count(*) > ${most}` : `count(*) >= ${least}${isOpen ? "" : ` AND count(*) <= ${most}`}`;
    const groups = `SELECT e.lead_id FROM event e WHERE ${where.join(" AND ")} GROUP BY e.lead_id HAVING ${having}`;
    return `${least === 0 ? "NOT " : ""}EXISTS (SELECT FROM (${groups}) AS e WHERE ${OWN})`;
  }
  const found = `SELECT FROM event e WHERE ${[OWN, ...where].join(" AND ")}`;
  // OFFSET 0 keeps the planner from joining all events instead.
  const each = event.eachLead === true ? " OFFSET 0" : "";
  if (least === 1 && isOpen) return `EXISTS (${found}${each})`;
  if (most === 0) return `NOT EXISTS (${found}${each})`;
  const counted = `(SELECT count(*) FROM (${found} LIMIT ${isOpen ? least : most + 1}) AS found)`;
  return `(${counted} BETWEEN ${least} AND ${isOpen ? least : most})`;
}

/** Only the first or last event of the type is tested, so the count is one or zero. */
function pickedSql(
  event: EventCondition,
  asked: readonly string[],
  { most }: Counts,
  scope: StatementScope,
): string {
  const none = most === 0;
  const found = [`e.project_id = ${scope.project}`, ...typeSql(event.types, scope)];
  const order = event.pick === "last" ? " DESC" : "";
  const rare = isRare(event, { least: none ? 0 : 1, most: none ? 0 : Number.POSITIVE_INFINITY }, scope);
  const picked = rare
    ? `SELECT DISTINCT ON (e.lead_id) e.* FROM event e WHERE ${found.join(" AND ")}
       ORDER BY e.lead_id, e.occurred_at${order}, e.id${order}`
    : `SELECT e.* FROM event e WHERE ${[OWN, ...found].join(" AND ")}
       ORDER BY e.occurred_at${order}, e.id${order} LIMIT 1`;
  const outside = [...(rare ? [OWN] : []), ...asked].join(" AND ");
  return `${none ? "NOT " : ""}EXISTS (SELECT FROM (${picked}) AS e${outside === "" ? "" : ` WHERE ${outside}`})`;
}

/** Whether it is for leads that have such events, of which there are too many to read them all. */
export function isCommon({ path, count, occurred }: EventCondition, { events }: StatementScope): boolean {
  const negated = count.negated !== (occurred?.negated ?? false);
  return !negated && count.least > 0 && (events.events.get(path) ?? 0) > FEW;
}

/** Whether reading all events of the type costs less than searching the timelines of as many leads as needed. */
function isRare(
  { path, pick, eachLead }: EventCondition,
  { least, most }: Counts,
  scope: StatementScope,
): boolean {
  const { leads, events, wanted } = scope.events;
  const known = events.get(path);
  if (eachLead === true || known === undefined || leads === 0) return false;
  // "any event at all" is a join, which the planner orders better by its own statistics.
  if (pick === "any" && least === 1 && most === Number.POSITIVE_INFINITY) return known <= FEW;
  if (pick === "any" && most === 0) return false;
  const share = chanceOfFewer(known / leads, most + 1) - chanceOfFewer(known / leads, least);
  return known * READ < Math.min(leads, wanted / Math.max(share, 1e-6)) * PROBE;
}

/** The probability of fewer than `n` events if the average is `mean` (Poisson). */
function chanceOfFewer(mean: number, n: number): number {
  if (n > 50) return 1;
  let [term, sum] = [Math.exp(-mean), 0];
  for (let k = 0; k < n; k += 1) {
    sum += term;
    term *= mean / (k + 1);
  }
  return sum;
}
