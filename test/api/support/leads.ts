import assert from "node:assert/strict";
import { newId } from "../../../src/core/id.ts";
import type { World } from "../../world.ts";

export interface Page {
  leads: Record<string, unknown>[];
  page_info: Record<string, unknown>;
}

/** Inserts leads into a project; returns their ids. */
export async function addLeads(
  the: World,
  leads: readonly Record<string, unknown>[],
  projectId = the.project.id,
): Promise<string[]> {
  const ids: string[] = [];
  for (const lead of leads) {
    const row: Record<string, unknown> = { project_id: projectId, id: newId("lead"), ...lead };
    const names = Object.keys(row);
    await the.sql(
      `INSERT INTO store.lead (${names.join(", ")}) VALUES (${names.map((_, i) => `$${i + 1}`).join(", ")})`,
      Object.values(row),
    );
    ids.push(String(row.id));
  }
  return ids;
}

export async function pageOf(response: Response): Promise<Page> {
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return JSON.parse(text) as Page;
}

export const idsOf = (page: Page): unknown[] => page.leads.map(({ id }) => id);

export async function problemOf(response: Response): Promise<{ detail: string; code: string }> {
  const problem = (await response.json()) as { detail: string; code: string };
  assert.deepEqual(Object.keys(problem).sort(), ["code", "detail"]);
  return problem;
}
