import type { ChangeKind } from "../../../contract/lists/changes.ts";
import type { CellType } from "../../../contract/lists/column-types.ts";
import { IMPORT_FIELDS, NEW_LEAD_VALUES, WRITABLE } from "../../../contract/lists/written-fields.ts";
import { newId } from "../../../core/id.ts";
import type { Statement } from "../../../db/wire/statement-batch.ts";
import { type Change, made, sourceOfEvents } from "../../changes/change.ts";
import { authorSql, changeSql } from "../../changes/record-change.ts";
import type { LeadPatch } from "../../fields/lead-input.ts";
import { shownLead } from "../../fields/shown-lead.ts";
import { type ArrayColumn, type ArrayColumnType, columnArrays } from "../../sql/column-arrays.ts";
import { OWN_TX } from "../../sql/feed-sql.ts";
import { Parameters } from "../../sql/parameters.ts";
import { hasherFor, keepHashesSql, openingOf, suppress, suppressedSql } from "../../suppression/hashes.ts";
import { holdersOf, UNLESS_TAKEN } from "../identity/external-id.ts";
import type { Identifier } from "../identity/identifiers.ts";
import { unlessHeldSql } from "../identity/look-for.ts";
import { type Behind, sendWrite, type WriteDb } from "./send-write.ts";
import type { Written } from "./write-outcome.ts";

const GIVEN = [...WRITABLE.keys(), "phone_e164", "custom", "last_activity_at", "import_id"];

/** SQL for the values of a new lead's columns that must not be null. */
const BLANKS = new Map(
  Object.entries(NEW_LEAD_VALUES).map(([name, blank]) => [
    name,
    Array.isArray(blank) ? "'{}'" : String(blank),
  ]),
);

/** A lead to create, perhaps with the id that it gets and the row of a file that it comes from. */
export interface NewLead {
  place: number;
  patch: LeadPatch;
  id?: string | undefined;
  from?: { importId: string; row: number } | undefined;
}

/**
 * What is sent with the statement that creates leads; nothing is created if a lead has one of the identifiers in `unless`. With
 * `clearsOptOut`, a lead whose `do_not_contact` is given as false may be contacted even if its addresses are suppressed.
 */
interface Sent {
  clearsOptOut?: boolean | undefined;
  ahead?: readonly Statement[] | undefined;
  behind?: Behind | undefined;
  unless?: readonly Identifier[];
}

/**
 * Creates leads with their `lead.created` events, in one statement. A lead whose external id another one has is not
 * created (`taken`); the others are. A single lead is returned as a record. A lead with a suppressed address is created with an
 * opt-out, which the outcome says, and the addresses of one that opts out are suppressed.
 */
export async function insertLeads(
  db: WriteDb,
  change: Change,
  leads: readonly NewLead[],
  { ahead, behind, unless = [], clearsOptOut = false }: Sent = {},
): Promise<Written[]> {
  if (leads.length === 0) return [];
  const hasher = await hasherFor(
    db,
    openingOf(change),
    leads.map(({ patch }) => patch),
  );
  const given = leads.map(({ place, patch, id = newId("lead"), from }) => ({
    place,
    id,
    hashes: hasher?.of(patch) ?? [],
    event: newId("evt"),
    lead: from === undefined ? patch : { ...patch, import_id: from.importId },
    ...(from === undefined ? {} : { data: { row: from.row } }),
  }));
  const parameters = new Parameters();
  const { by } = change;
  const [only, ...more] = given;
  if (only !== undefined && more.length === 0 && ONE_LEAD.has(change.kind)) change.leadId = only.id;
  const project = parameters.text(by.projectId);
  const { rows, from, has, optOut } =
    more.length === 0 ? oneRow(given, parameters) : manyRows(given, parameters);
  const asked = has("do_not_contact") ? "r.do_not_contact" : "NULL::boolean";
  const suppressed = suppressedSql(project, "given.hashes");
  const optedOut = `coalesce(${asked}, false) OR ${clearsOptOut ? `${asked} IS DISTINCT FROM false AND ${suppressed}` : suppressed}`;
  const always = hasher === undefined ? ["status"] : ["status", "do_not_contact"];
  const columns = GIVEN.filter((column) => has(column) || always.includes(column));
  const values = columns.map((column) => {
    if (column === "status")
      return `coalesce(${has(column) ? "r.status" : "NULL"}, (SELECT first FROM status), 'new')`;
    if (column === "custom") return "jsonb_strip_nulls(coalesce(r.custom, '{}'))";
    if (column === "do_not_contact" && hasher !== undefined) return optedOut;
    const blank = BLANKS.get(column);
    return blank === undefined ? `r.${column}` : `coalesce(r.${column}, ${blank})`;
  });
  const isShown = more.length === 0 && by.kind !== "named";
  const json = isShown
    ? `CASE WHEN fresh.id IS NOT NULL THEN ${shownLead("fresh", by, parameters)} END`
    : "NULL";
  const text = `WITH given AS MATERIALIZED (${rows}
    ${unlessHeldSql(unless, project, parameters)}
  ), status AS MATERIALIZED (SELECT statuses[1] AS first FROM project WHERE project_id = ${project}
  ), ${OWN_TX}, fresh AS (
    INSERT INTO lead (project_id, id, last_tx, created_at, ${columns.join(", ")})
    SELECT ${project}, given.id, (SELECT tx FROM own), coalesce(${has("created_at") ? "r.created_at" : "NULL"}, moment()), ${values.join(", ")}
    FROM ${from} ORDER BY ${has("external_id") ? "r.external_id, " : ""}given.place ${UNLESS_TAKEN} RETURNING ${isShown ? "*" : "id, created_at, do_not_contact"}
  ), ${
    hasher === undefined
      ? ""
      : `suppressed AS (${keepHashesSql(project, "given JOIN fresh ON fresh.id = given.id AND fresh.do_not_contact, unnest(hashes) AS hash")}
  ), `
  }${authorSql(change, parameters)}, told AS (
    INSERT INTO event (project_id, id, lead_id, type, occurred_at, source, actor, title, data, change_id, version)
    SELECT ${project}, event, given.id, 'lead.created', fresh.created_at, ${parameters.text(sourceOfEvents(change))},
      (SELECT actor FROM author), 'Lead created', coalesce(data, '{}'), ${parameters.text(change.id)}, 1 FROM given JOIN fresh ON fresh.id = given.id
  ), ${changeSql(change, parameters, { counts: COUNTS })}
  SELECT place::integer AS place, given.id, CASE WHEN fresh.id IS NULL THEN 'taken' ELSE 'created' END AS outcome, 1 AS version, ${json} AS json,
    fresh.do_not_contact AND ${optOut} IS DISTINCT FROM true AS "keptOptOut"
  FROM given LEFT JOIN fresh ON fresh.id = given.id ORDER BY place`;
  const statement = { text, values: parameters.values };
  const written = await sendWrite<Written>(db, statement, {
    single: leads.length === 1,
    ahead,
    behind,
  });
  const created = written.filter(({ outcome }) => outcome === "created").length;
  if (created > 0) made(change, { lead: created, event: created });
  const cleared = clearsOptOut
    ? leads.filter(({ place, patch }) => patch.do_not_contact === false && isCreated(written, place))
    : [];
  if (cleared.length > 0)
    await suppress(
      db,
      openingOf(change),
      cleared.map(({ patch }) => patch),
      { lift: true },
    );
  return await withHolders(db, by.projectId, leads, written);
}

const isCreated = (written: readonly Written[], at: number): boolean =>
  written.some(({ place, outcome }) => place === at && outcome === "created");

interface GivenLead {
  place: number;
  id: string;
  event: string;
  hashes: string[];
  lead: LeadPatch;
  data?: { row: number };
}

/** SQL for the leads of a call, for their values as `r` beside `given`, and whether it has a column. */
interface GivenRows {
  rows: string;
  from: string;
  /** Whether the lead is given with an opt-out. */
  optOut: string;
  has(column: string): boolean;
}

/** One text for all single leads, so that it is prepared once. */
const oneRow = (given: readonly GivenLead[], parameters: Parameters): GivenRows => ({
  rows: `SELECT * FROM jsonb_to_recordset(${parameters.add(JSON.stringify(given))}::jsonb)
    AS given (place integer, id text, event text, hashes text[], lead jsonb, data jsonb)`,
  from: "given, jsonb_populate_record(NULL::lead, given.lead) AS r",
  optOut: "(given.lead ->> 'do_not_contact')::boolean",
  has: () => true,
});

/** Many leads as one array for each column: docs/decisions/0037. */
function manyRows(given: readonly GivenLead[], parameters: Parameters): GivenRows {
  const present = new Set(given.flatMap(({ lead }) => Object.keys(lead)));
  const names = [...GIVEN, "created_at"].filter((name) => present.has(name));
  const arrays = columnArrays<GivenLead>(
    [
      ["place", "double precision", ({ place }) => place],
      ["id", "text", ({ id }) => id],
      ["event", "text", ({ event }) => event],
      ["hashes", "text[]", ({ hashes }) => hashes],
      ["data", "jsonb", ({ data }) => data && JSON.stringify(data)],
      ...names.map(
        (name): ArrayColumn<GivenLead> => [name, arrayTypeOf(name), ({ lead }) => storedValue(lead[name])],
      ),
    ],
    given,
  );
  const rows = `SELECT * FROM ${arrays.sql(parameters.values.length + 1)} AS g`;
  for (const array of arrays.values) parameters.add(array);
  return {
    rows,
    from: "given, LATERAL (SELECT given.*) AS r",
    optOut: present.has("do_not_contact") ? "given.do_not_contact" : "NULL::boolean",
    has: (column) => present.has(column),
  };
}

const ARRAY_TYPES: Readonly<Partial<Record<CellType, ArrayColumnType>>> = {
  number: "double precision",
  integer: "double precision",
  boolean: "boolean",
  datetime: "timestamptz",
  date: "timestamptz",
  list: "text[]",
};

function arrayTypeOf(name: string): ArrayColumnType {
  if (name === "custom") return "jsonb";
  const type = IMPORT_FIELDS[name];
  return (type && ARRAY_TYPES[type]) ?? "text";
}

/** Custom fields are JSON; everything else is written as it is. */
const storedValue = (value: LeadPatch[string]): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value;

/** Kinds of changes that are about one lead, which is known only when it is written. */
const ONE_LEAD: ReadonlySet<ChangeKind> = new Set<ChangeKind>(["lead.create", "lead.upsert"]);

const COUNTS = "(SELECT jsonb_build_object('leads_created', count(*)) FROM fresh HAVING count(*) > 0)";

/** Adds the holders of external ids; a holder may have committed after the INSERT began, so they are read after it. */
async function withHolders(
  db: WriteDb,
  projectId: string,
  leads: readonly NewLead[],
  written: Written[],
): Promise<Written[]> {
  const taken = new Set(written.flatMap(({ outcome, place }) => (outcome === "taken" ? [place] : [])));
  if (taken.size === 0) return written;
  const wanted = new Map(leads.map(({ place, patch }) => [place, String(patch.external_id)]));
  const holders = await holdersOf(
    db,
    projectId,
    [...taken].map((place) => wanted.get(place) ?? ""),
  );
  return written.map((one) =>
    taken.has(one.place)
      ? { ...one, version: null, holder: holders.get(wanted.get(one.place) ?? "") ?? null }
      : one,
  );
}
