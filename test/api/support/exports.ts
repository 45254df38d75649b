import { setTimeout as sleep } from "node:timers/promises";
import type { KeyActor } from "../../world.ts";
import { bodyOf } from "./v1.ts";

export interface Export {
  id: string;
  state: string;
  format: string;
  query: object;
  actor: { type: string; id: string };
  done: number;
  total: number | null;
  bytes: number | null;
  error: { code: string; message: string } | null;
  expires_at: string | null;
}

export const readExport = async (key: KeyActor, id: string): Promise<Export> =>
  await bodyOf<Export>(await key.send("GET", `/api/v1/exports/${id}`));

/** Returns the export once it has ended, however. */
export async function endedExport(key: KeyActor, id: string): Promise<Export> {
  for (;;) {
    const state = await readExport(key, id);
    if (state.state !== "waiting" && state.state !== "running") return state;
    await sleep(30);
  }
}
