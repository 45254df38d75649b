import assert from "node:assert/strict";
import type { Browser } from "../../browser.ts";

/** An entry of a log as its NDJSON file shows it. */
export interface Entry {
  action: string;
  actor: string;
  actor_name: string;
  person_id: string;
  project_id: string;
  address: string;
  request_id: string;
  at: string;
  data: Record<string, unknown>;
  repeated: number;
  repeated_at: string | null;
  repeated_from: string | null;
}

/** Reads the whole log at this path, newest first; of one action if it is given. */
export async function entriesOf(browser: Browser, path: string, action?: string): Promise<Entry[]> {
  const answer = await browser.get(`${path}.ndjson`);
  assert.equal(answer.status, 200);
  const lines = (await answer.text()).split("\n").filter((line) => line !== "");
  const entries = lines.map((line) => JSON.parse(line) as Entry);
  return action === undefined ? entries : entries.filter((entry) => entry.action === action);
}
