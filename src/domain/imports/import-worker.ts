// Runs in a thread: the dry run or the commit of an import, with its own connections. Posts one ThreadOutcome.
import { parentPort, workerData } from "node:worker_threads";
import { Refusal } from "../../core/refusal.ts";
import { backgroundDatabase } from "../../db/pool/background-database.ts";
import { JobTaken } from "../jobs/job.ts";
import { credentialOf } from "../jobs/kept-credential.ts";
import { passOnAdded } from "../operation/growth.ts";
import { doorOf } from "../tenancy/credential.ts";
import { needsOf } from "./import-door.ts";
import type { ThreadAdded, ThreadData, ThreadOutcome } from "./import-thread.ts";
import { checkImport, commitImport } from "./run-stored-import.ts";

/** One writes the batch, one reads the file meanwhile. */
const CONNECTIONS = 2;

const { databaseUrl, distributed, limitMs, secretKeys, ref, credential, id, act, dataset } =
  workerData as ThreadData;
const stop = new AbortController();
parentPort?.once("message", () => stop.abort());

passOnAdded((_, added) => parentPort?.postMessage({ kind: "added", added } satisfies ThreadAdded));
const database = backgroundDatabase(databaseUrl, { connections: CONNECTIONS, limitMs, distributed });
const caller = credentialOf(credential, ref.projectId);
const db = database.behind(doorOf(caller, { any: [needsOf(dataset)] }));
const work = act === "check" ? checkImport : commitImport;
const outcome = await work(
  { service: { config: { secretKeys } }, db, caller, ref, limitMs, signal: stop.signal },
  id,
).then((result): ThreadOutcome => ({ kind: "done", result }), outcomeOf);
await database.close();
parentPort?.postMessage(outcome);

function outcomeOf(error: unknown): ThreadOutcome {
  if (error instanceof JobTaken) return { kind: "taken", message: error.message };
  if (error instanceof Refusal) {
    const { kind, code, message, retryAfter } = error;
    return { kind: "refused", refusal: { kind, code, message, retryAfter } };
  }
  return { kind: "failed", error };
}
