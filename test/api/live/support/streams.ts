import type { KeyActor } from "../../../world.ts";
import { StreamReader } from "../../support/stream.ts";
import { bodyOf } from "../../support/v1.ts";

/** Opens a stream of events under a key; `lastId` is sent as Last-Event-ID. */
export const open = (
  at: { baseUrl: string },
  key: KeyActor,
  { query = "", lastId }: { query?: string; lastId?: string } = {},
): Promise<StreamReader> =>
  StreamReader.open(`${at.baseUrl}/api/v1/events/stream${query}`, {
    Authorization: `Bearer ${key.text}`,
    ...(lastId === undefined ? {} : { "Last-Event-ID": lastId }),
  });

/** Records an event of a lead; returns its id. */
export const call = async (key: KeyActor, lead: string, type = "call.made"): Promise<string> =>
  (await bodyOf<{ id: string }>(await key.send("POST", `/api/v1/leads/${lead}/events`, { type }), 201)).id;
