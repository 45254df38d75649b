import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import type { Permission } from "../../../src/core/permission.ts";
import type { ImportBody } from "../../imports/support/uploading.ts";
import type { KeyActor, World } from "../../world.ts";
import { bodyOf } from "./dataset.ts";

export const IMPORTER: readonly Permission[] = ["datasets:read", "datasets:write", "datasets:import"];

export type RowImport = ImportBody & {
  dataset: { id: string; key: string | null } | null;
  file: { name: string; format: string; encoding: string; rows: number };
};

export interface Sending {
  type?: string;
  query?: string;
  /** The path, instead of that of the endpoint without a version. */
  path?: string;
}

/** Sends a file to a dataset. */
export const sendRows = (
  the: World,
  key: KeyActor,
  file: string | Buffer | FormData,
  { type = "text/csv", query = "", path = "/api/datasets/companies/import/" }: Sending = {},
): Promise<Response> =>
  fetch(`${the.baseUrl}${path}${query}`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${key.text}`,
      ...(file instanceof FormData ? {} : { "Content-Type": type }),
    },
    body: typeof file === "string" || file instanceof FormData ? file : new Uint8Array(file),
  });

/** Imports a file into a dataset and waits until the import has ended. */
export async function imported(
  the: World,
  key: KeyActor,
  file: string | Buffer | FormData,
  sending: Sending = {},
): Promise<RowImport> {
  const begun = await bodyOf<RowImport>(await sendRows(the, key, file, sending), 202);
  assert.equal(begun.state, "waiting");
  return await endedRows(key, begun.id);
}

export async function endedRows(key: KeyActor, id: string): Promise<RowImport> {
  for (;;) {
    const now = await bodyOf<RowImport>(await key.send("GET", `/api/datasets/companies/imports/${id}/`));
    if (!["checking", "waiting", "running", "undoing"].includes(now.state)) return now;
    await sleep(30);
  }
}

/** Starts an action on an import and waits until it has ended. */
export async function actedOn(key: KeyActor, id: string, act: string): Promise<RowImport> {
  await bodyOf(await key.send("POST", `/api/v1/imports/${id}/${act}`), 202);
  return await endedRows(key, id);
}
