import { Readable } from "node:stream";
import type { RowCounts } from "../../../src/contract/lists/outcomes.ts";
import { importLeads } from "../../../src/domain/imports/run/import-leads.ts";
import type { ImportReport } from "../../../src/domain/imports/run/import-report.ts";
import type { World } from "../../world.ts";

/** Imports a string or bytes as a file into the world's project. */
export function importText(the: World, text: string | Buffer, mapping?: unknown): Promise<ImportReport> {
  return importLeads(the.service, {
    projectId: the.project.id,
    file: () => Readable.from([Buffer.from(text)]),
    fileName: "leads.csv",
    mapping,
    actor: { type: "cli", id: null, label: "test" },
  });
}

/** Returns the six numbers of a report, in the order of the sum. */
export function countsOf({ rows, created, updated, unchanged, skipped, failed }: RowCounts): number[] {
  return [rows, created, updated, unchanged, skipped, failed];
}

export interface StoredLead extends Record<string, unknown> {
  id: string;
  email: string | null;
  name: string | null;
  version: number;
  custom: Record<string, unknown>;
}

/** Returns the world's leads as stored. */
export function leadsOf(the: World): Promise<StoredLead[]> {
  return the.sql<StoredLead>(
    "SELECT * FROM store.lead WHERE project_id = $1 ORDER BY external_id, email, id",
    [the.project.id],
  );
}

/** Returns the world's timeline events of a type. */
export function eventsOf(
  the: World,
  type: string,
): Promise<{ lead_id: string; data: Record<string, unknown> }[]> {
  return the.sql(
    "SELECT lead_id, data FROM store.event WHERE project_id = $1 AND type = $2 ORDER BY occurred_at, id",
    [the.project.id, type],
  );
}
