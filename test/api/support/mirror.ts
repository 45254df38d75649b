import assert from "node:assert/strict";
import type { Record_ } from "./writing.ts";

type Send = (method: string, path: string, body?: unknown) => Promise<Response>;

interface SyncPage {
  leads: Record_[];
  next_cursor: string | null;
  feed_cursor: string | null;
}

interface FeedPage {
  events: { id: string; lead_id: string }[];
  leads: Record_[];
  next_cursor: string;
  has_more: boolean;
}

/** A copy of a project's leads that is kept by the recipe of the documents, and by nothing else. */
export class Mirror {
  readonly leads = new Map<string, Record_>();
  /** How many events were read. */
  events = 0;
  #cursor = "";
  readonly #send: Send;

  constructor(send: Send) {
    this.#send = send;
  }

  /** Reads all leads, page by page. */
  async sync(limit = 500): Promise<void> {
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: SyncPage = await json(
        await this.#send("POST", "/api/v1/sync", { limit, ...(cursor === undefined ? {} : { cursor }) }),
      );
      for (const lead of page.leads) {
        assert.ok(!this.leads.has(lead.id), "no lead twice");
        this.leads.set(lead.id, lead);
      }
      cursor = page.next_cursor;
      assert.equal(page.feed_cursor === null, cursor !== null);
      this.#cursor = page.feed_cursor ?? "";
    }
  }

  /** Reads the feed up to its end. */
  async follow(limit = 500): Promise<void> {
    for (let more = true; more; ) {
      const path: string = `/api/v1/events?snapshot=true&limit=${limit}&cursor=${encodeURIComponent(this.#cursor)}`;
      const page: FeedPage = await json(await this.#send("GET", path));
      const present = new Map(page.leads.map((lead) => [lead.id, lead]));
      for (const { lead_id: id } of page.events) {
        const lead = present.get(id);
        if (lead === undefined) this.leads.delete(id);
        else this.leads.set(id, lead);
      }
      this.events += page.events.length;
      this.#cursor = page.next_cursor;
      more = page.has_more;
    }
  }
}

async function json<T>(response: Response): Promise<T> {
  const text = await response.text();
  assert.ok(response.ok, text);
  return JSON.parse(text) as T;
}

/** All leads of the project by search, to compare a mirror with. */
export async function allLeads(send: Send): Promise<Map<string, Record_>> {
  const leads = new Map<string, Record_>();
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const body = { limit: 500, ...(cursor === undefined ? {} : { cursor }) };
    const page: { leads: Record_[]; next_cursor: string | null } = await json(
      await send("POST", "/api/v1/leads/search", body),
    );
    for (const lead of page.leads) leads.set(lead.id, lead);
    cursor = page.next_cursor;
  }
  return leads;
}
