import {
  callsOf,
  type History,
  isAcknowledged,
  isUnknown,
  mayHaveHappened,
  numberIn,
  textIn,
} from "../history.ts";
import type { Broken } from "./broken.ts";
import { checkSnapshot } from "./snapshot.ts";
import { finalLeads, type Seen, unknownValues, type Write, writesIn } from "./writes.ts";

/** Nothing acknowledged is lost, and nothing is there twice. */
export function checkKept(history: History): Broken[] {
  const { leads, start, isWhole } = finalLeads(history);
  if (!isWhole) return [{ promise: "kept", what: "the leads could not be read in the end" }];
  return [
    ...checkSnapshot(
      history,
      { leads, start, end: Number.POSITIVE_INFINITY, name: "the final list" },
      "kept",
    ),
    ...twice(leads, "name"),
    ...twice(leads, "external"),
    ...twice(leads, "id"),
    ...unasked(history, leads),
  ];
}

function twice(leads: readonly Seen[], field: "id" | "name" | "external"): Broken[] {
  const groups = Map.groupBy(
    leads.filter((lead) => lead[field] !== ""),
    (lead) => lead[field],
  );
  return [...groups]
    .filter(([, { length }]) => length > 1)
    .map(([value, { length }]) => ({ promise: "once", what: `${length} leads have the ${field} ${value}` }));
}

/** Leads that nobody asked for. Those of imports are checked with the imports. */
function unasked(history: History, leads: readonly Seen[]): Broken[] {
  const asked = (op: "lead.create" | "lead.bulk" | "lead.upsert") =>
    callsOf(history, op).filter(mayHaveHappened);
  const names = new Set(asked("lead.create").map(({ about }) => String(about.name)));
  for (const { about } of asked("lead.bulk"))
    for (let i = 0; i < Number(about.count); i += 1) names.add(`${about.name}-${i}`);
  const externals = new Set(asked("lead.upsert").map(({ about }) => String(about.external)));
  const prefixes = callsOf(history, "import.upload").map(({ about }) => `${about.prefix}-`);
  return leads
    .filter(({ name, external }) => !names.has(name) && !externals.has(external))
    .filter(({ external }) => !prefixes.some((prefix) => external.startsWith(prefix)))
    .map(({ id, name }) => ({ promise: "once", what: `nobody created ${id} (${name})` }));
}

/** Each version of a lead was made by one write, and later answers never show an earlier version. */
export function checkVersions(history: History): Broken[] {
  const broken: Broken[] = [];
  const say = (what: string) => broken.push({ promise: "versions", what });
  const writes = writesIn(history).filter(({ kind }) => kind !== "delete");
  const unknown = unknownValues(history);
  const byLead = Map.groupBy(writes, ({ lead }) => lead);
  for (const [lead, own] of byLead) {
    for (const [version, { length }] of counted(own, ({ version }) => version))
      if (length > 1) say(`${length} acknowledged writes made version ${version} of ${lead}`);
    inOrder(own, (first, second) =>
      say(`${lead}: call ${second.call.n} began after call ${first.call.n} had made a later version`),
    );
  }
  for (const { n, about, answer, status } of callsOf(history, "lead.change")) {
    if (status !== 200 || about.version === undefined) continue;
    if (numberIn(answer, "version") !== Number(about.version) + 1)
      say(`call ${n} changed version ${about.version} into ${numberIn(answer, "version")}`);
  }
  const reads = callsOf(history, "lead.read").filter(isAcknowledged);
  const { leads, start } = finalLeads(history);
  const shown = [
    ...reads.map(({ start, answer, n }) => ({ start, seen: answer, by: `call ${n}` })),
    ...leads.map(({ external, ...lead }) => ({ start, seen: lead, by: "the final list" })),
  ];
  for (const { start, seen, by } of shown) {
    const [id, version, company] = [textIn(seen, "id"), numberIn(seen, "version"), textIn(seen, "company")];
    const own = byLead.get(id) ?? [];
    const newest = Math.max(0, ...own.filter(({ call }) => call.end < start).map(({ version }) => version));
    if (version < newest) say(`${by} showed version ${version} of ${id} after ${newest} was acknowledged`);
    const written = own.find((write) => write.version === version);
    const expected = written?.value;
    if (expected !== undefined && expected !== company)
      say(`${by} showed ${company} as version ${version} of ${id}, which ${expected} had made`);
    if (written === undefined && own.length > 0 && !unknown.has(company))
      say(`${by} showed version ${version} of ${id} (${company}), which no write made`);
  }
  return broken;
}

function counted<T>(list: readonly T[], of: (item: T) => number): Map<number, T[]> {
  return Map.groupBy(list, of);
}

/** Reports writes that began after another one was acknowledged and made a version before that one's. */
function inOrder(writes: readonly Write[], report: (first: Write, second: Write) => void): void {
  for (const first of writes)
    for (const second of writes)
      if (first.call.end < second.call.start && first.version > second.version) report(first, second);
}

/** A lead that was deleted does not come back, and an unanswered change happens at most once. */
export function checkChanges(history: History): Broken[] {
  const broken: Broken[] = [];
  const writes = writesIn(history).filter(({ kind }) => kind !== "delete");
  const tries = Map.groupBy(callsOf(history, "lead.change").filter(isUnknown), ({ about }) =>
    String(about.lead),
  );
  const upserts = Map.groupBy(callsOf(history, "lead.upsert").filter(isUnknown), ({ about }) =>
    String(about.external),
  );
  const byLead = Map.groupBy(writes, ({ lead }) => lead);
  for (const { id, external, version } of finalLeads(history).leads) {
    const sure = new Set((byLead.get(id) ?? []).map((write) => write.version));
    if (sure.size === 0) continue;
    const possible = (tries.get(id)?.length ?? 0) + (upserts.get(external)?.length ?? 0);
    if (version > sure.size + possible)
      broken.push({
        promise: "once",
        what: `${id} has version ${version}, after ${sure.size} acknowledged and ${possible} unanswered writes`,
      });
  }
  return broken;
}
