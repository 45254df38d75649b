import assert from "node:assert/strict";
import type { KeyActor, World } from "../../world.ts";

export type Record_ = Record<string, unknown> & { id: string; version: number };

export const writer = (the: World, projectId = the.project.id): Promise<KeyActor> =>
  the.key(["leads:read", "leads:write", "schema:write"], projectId);

/** Returns the lead in a response, which must have the expected status. */
export async function leadOf(response: Response, status = 200): Promise<Record_> {
  const text = await response.text();
  assert.equal(response.status, status, text);
  return JSON.parse(text) as Record_;
}

export interface Envelope {
  status: number;
  code: string;
  message: string;
  details: { path: string; code: string; message: string }[];
}

/** Returns a v1 refusal, which always has the same shape. */
export async function refusalOf(response: Response): Promise<Envelope> {
  const body = (await response.json()) as { error: Omit<Envelope, "status">; request_id: string };
  assert.deepEqual(Object.keys(body).sort(), ["error", "request_id"], JSON.stringify(body));
  assert.deepEqual(Object.keys(body.error).sort(), ["code", "details", "message"]);
  assert.equal(body.request_id, response.headers.get("x-request-id"));
  return { status: response.status, ...body.error };
}

/** Returns a lead's timeline, oldest first: type, field, from, to. */
export async function told(the: World, id: string): Promise<unknown[][]> {
  const rows = await the.sql<{ type: string; data: Record<string, unknown> }>(
    "SELECT type, data FROM store.event WHERE lead_id = $1 ORDER BY recorded_at, id",
    [id],
  );
  return rows.map(({ type, data: { field, from, to } }) => [type, field, from, to]);
}
