import { setTimeout as sleep } from "node:timers/promises";
import { type Call, isAcknowledged, textIn } from "../history.ts";
import type { Act, Actor } from "./actor.ts";

/** Uploads small files with external ids of their own and commits most of them. */
export const importing: Act = async (actor) => {
  for (let n = 1; !actor.isOver; n += 1) {
    const prefix = `${actor.name}-${n}`;
    const rows = actor.chance.between(5, 60);
    const lines = Array.from({ length: rows }, (_, i) => `${prefix}-${i},Row ${i} of ${prefix},from a file`);
    const upload = await actor.ask({
      ...{ op: "import.upload", method: "POST", path: "/api/v1/imports", about: { prefix, rows } },
      headers: { Authorization: `Bearer ${actor.scene.cast.key}`, "Content-Type": "text/csv" },
      body: ["external_id,name,company", ...lines, ""].join("\n"),
      keep: importOf,
    });
    await actor.pause(upload);
    if (!isAcknowledged(upload) || actor.chance.isOneIn(5)) continue;
    const id = textIn(upload.answer, "id");
    await committed(actor, { id, prefix }, () => actor.isOver);
    await ended(actor, "import.read", id, () => actor.isOver);
  }
};

/** Commits an import until it is known that it is committed. */
export async function committed(
  actor: Actor,
  about: { id: string; prefix: string },
  giveUp: () => boolean,
): Promise<void> {
  for (let isKnown = false; !isKnown && !giveUp(); ) {
    const path = `/api/v1/imports/${about.id}/commit`;
    const commit = await actor.call({ op: "import.commit", method: "POST", path, about, keep: importOf });
    isKnown = isCommitted(commit);
    await actor.pause(commit);
  }
}

/** A commit whose answer got lost is refused the second time. */
const isCommitted = (commit: Call): boolean => isAcknowledged(commit) || commit.status === 409;

/** Exports all leads again and again, and downloads each file. */
export const exporting: Act = async (actor) => {
  while (!actor.isOver) {
    const start = await actor.call({
      ...{ op: "export.start", method: "POST", path: "/api/v1/exports" },
      json: { format: "ndjson", columns: ["id", "name", "external_id", "company", "version"] },
      keep: exportOf,
    });
    if (isAcknowledged(start)) {
      const id = textIn(start.answer, "id");
      const state = await ended(actor, "export.read", id, () => actor.isOver);
      if (state === "done") await downloaded(actor, id);
    }
    await sleep(200);
    await actor.pause(start);
  }
};

/** Downloads an export until it comes. */
export async function downloaded(actor: Actor, id: string): Promise<Call> {
  for (let tries = 1; ; tries += 1) {
    const call = await actor.call({
      ...{ op: "export.file", method: "GET", path: `/api/v1/exports/${id}/file`, about: { id } },
      keep: (text) => ({ text }),
    });
    if (isAcknowledged(call) || tries === 20) return call;
    await actor.pause(call);
  }
}

const FINAL = ["done", "failed", "cancelled"];

/** Reads an import or an export until it has ended; returns its last known state. */
export async function ended(
  actor: Actor,
  op: "import.read" | "export.read",
  id: string,
  giveUp: () => boolean,
): Promise<string> {
  let state = "";
  while (!FINAL.includes(state) && !giveUp()) {
    const path = op === "import.read" ? `/api/v1/imports/${id}` : `/api/v1/exports/${id}`;
    const keep = op === "import.read" ? importOf : exportOf;
    const call = await actor.call({ op, method: "GET", path, about: { id }, keep });
    if (isAcknowledged(call)) state = textIn(call.answer, "state");
    if (!FINAL.includes(state)) await sleep(100);
  }
  return state;
}

const picked =
  (...names: readonly string[]) =>
  (text: string): unknown =>
    Object.fromEntries(Object.entries(JSON.parse(text) as object).filter(([name]) => names.includes(name)));

const importOf = picked(
  "id",
  "state",
  "rows",
  "created",
  "updated",
  "unchanged",
  "skipped",
  "failed",
  "error",
);
const exportOf = picked("id", "state", "done", "total", "bytes", "error");
