import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Filter } from "../../../src/contract/filters/filter.ts";
import { searchLeads } from "../../../src/domain/leads/read/search-leads.ts";
import { perform } from "../../../src/domain/operation/operation.ts";
import type { Service } from "../../../src/domain/operation/service/service.ts";
import { type Difference, differencesOf } from "../data/differences.ts";
import type { Sql } from "../data/program.ts";
import type { MadeExport, Outcome } from "./check/outcome.ts";
import { type Write, writesOf } from "./check/writes.ts";
import { type Slot, type State, workOf } from "./state.ts";

/** The most leads of a view that are compared with the expected ones. */
const MOST_SHOWN = 500;

const PATIENCE_MS = 120_000;
const UNFINISHED = "SELECT FROM store.job WHERE project_id = $1 AND state IN ('waiting', 'running')";

/** Waits until the service has finished the jobs that an assistant started, two minutes at most. */
async function settled(sql: Sql, projectId: string): Promise<void> {
  const end = performance.now() + PATIENCE_MS;
  while ((await sql(UNFINISHED, [projectId])).length > 0 && performance.now() < end) await sleep(500);
}

/** Collects what there is after an assistant worked on a job: its answer, and what it wrote. */
export async function outcomeOf(
  { service, sql }: { service: Service; sql: Sql },
  { state, folder, slot }: { state: State; folder: string; slot: Slot },
): Promise<Outcome> {
  await settled(sql, slot.projectId);
  const differences = await differencesOf(sql, state.planted.projectId, slot.projectId);
  const writes = writesOf(differences);
  const personId = state.planted.members.marina.id;
  for (const write of writes)
    if (write.what === "view.created") write.shows = await shownBy(service, slot.projectId, personId, write);
  return {
    answer: answerIn(folder, slot),
    writes,
    exports: differences.flatMap(exportOf),
    changes: differences
      .filter(({ table, before }) => table === "change" && before === null)
      .map(({ after }) => after ?? {})
      .toSorted((a, b) => (String(a.id) < String(b.id) ? -1 : 1))
      .map(({ kind }) => String(kind)),
  };
}

export const answerPath = (folder: string, slot: Slot): string => join(workOf(folder, slot), "answer.txt");

function answerIn(folder: string, slot: Slot): string {
  const path = answerPath(folder, slot);
  return existsSync(path) ? readFileSync(path, "utf8") : "";
}

async function shownBy(
  service: Service,
  projectId: string,
  personId: string,
  { fields }: Write,
): Promise<string[]> {
  const { filter } = fields.query as { filter?: Filter };
  const search = { ...(filter === undefined ? {} : { filter }), fields: ["id"], limit: MOST_SHOWN };
  const page = await perform(service, searchLeads, { kind: "person", projectId, personId }, search);
  return (JSON.parse(page.json) as { id: string }[]).map(({ id }) => id);
}

function exportOf({ table, after }: Difference): MadeExport[] {
  if (table !== "job" || after?.kind !== "export") return [];
  const { columns } = after.input as { columns?: string[] };
  const total = after.total === null ? null : Number(after.total);
  return [{ state: String(after.state), total, columns: columns ?? null }];
}
