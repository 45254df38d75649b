import { nearest } from "../../core/nearest.ts";
import type { Fault } from "../../core/refusal.ts";
import type { Queryable } from "../../db/pool/database.ts";
import { quoted } from "../values/bad-input.ts";

/** Event types of a filter and where they are. */
export interface AskedTypes {
  path: string;
  types: readonly string[];
}

/** How many types a warning is made for, how many they are compared with, and how many each names. */
const MOST = 20;
const MOST_SEEN = 500;
const NAMED = 5;

/** One index lookup for each type, or for the first type of a group. */
const FIRST = `SELECT coalesce(array_agg(asked.type), '{}') AS types
  FROM unnest($2::text[], $3::text[], $4::text[]) AS asked (type, first, beyond)
  WHERE (SELECT e.type FROM event e WHERE e.project_id = $1 AND e.type >= asked.first AND e.type < asked.beyond
    ORDER BY e.type LIMIT 1) IS NULL`;

/** The types of a project's events: jumps from type to type in the index, whatever the number of events. */
export const SEEN_TYPES = `WITH RECURSIVE seen (type, n) AS (
    (SELECT e.type, 1 FROM event e WHERE e.project_id = $1 ORDER BY e.type LIMIT 1)
    UNION ALL
    SELECT (SELECT e.type FROM event e WHERE e.project_id = $1 AND e.type > seen.type ORDER BY e.type LIMIT 1), n + 1
    FROM seen WHERE seen.type IS NOT NULL AND n < ${MOST_SEEN}
  ) SELECT coalesce(array_agg(type), '{}') AS types FROM seen WHERE type IS NOT NULL`;

/** Returns a fault for each type, or group of types such as `email.*`, of which the project has no event. */
export async function unseenTypes(
  db: Pick<Queryable, "query">,
  projectId: string,
  asked: readonly AskedTypes[],
): Promise<Fault[]> {
  const all = [...new Set(asked.flatMap(({ types }) => types))];
  if (all.length === 0) return [];
  const ranges = all.map(rangeOf);
  const firsts = ranges.map(({ first }) => first);
  const beyonds = ranges.map(({ beyond }) => beyond);
  const [row] = await db.query<{ types: string[] }>(FIRST, [projectId, all, firsts, beyonds]);
  const unseen = new Set(row?.types);
  if (unseen.size === 0) return [];
  const [known] = await db.query<{ types: string[] }>(SEEN_TYPES, [projectId]);
  const seen = known?.types ?? [];
  const found = asked.flatMap(({ path, types }) =>
    types.filter((type) => unseen.has(type)).map((type) => ({ path, type })),
  );
  return found.slice(0, MOST).map(({ path, type }) => unseenFault(path, type, seen));
}

/** The range of types in the column's byte order: `email/` follows everything that starts with `email.`. */
function rangeOf(type: string): { first: string; beyond: string } {
  if (!type.endsWith(".*")) return { first: type, beyond: `${type}\u0001` };
  return { first: type.slice(0, -1), beyond: `${type.slice(0, -2)}/` };
}

function unseenFault(path: string, type: string, seen: readonly string[]): Fault {
  const near = nearest(type.replace(/\.\*$/, ""), seen).slice(0, NAMED);
  const hint =
    near.length === 0 ? "it has no events yet" : `the nearest types are ${near.map(quoted).join(", ")}`;
  return {
    path,
    code: "unseen_event_type",
    message: `this project has no event of the type ${quoted(type)}; ${hint}`,
  };
}
