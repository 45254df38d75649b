import type { Actor } from "./actors/actor.ts";
import type { Follower } from "./actors/feed.ts";
import { downloaded, ended } from "./actors/files.ts";
import { introspect, refresh } from "./actors/oauth.ts";
import { callsOf, isAcknowledged, listIn, textIn } from "./history.ts";

const PATIENCE_MS = 45_000;

/** Reads, over HTTP alone, what the service holds when everything is over. Imports and exports may take until then. */
export async function finalCalls(
  actor: Actor,
  followers: readonly Follower[],
  clientId: string,
): Promise<void> {
  const { recorder } = actor.scene;
  const until = recorder.now() + PATIENCE_MS;
  const isLate = () => recorder.now() > until;
  const ids = (...ops: Parameters<typeof callsOf>[1][]) =>
    callsOf(recorder.entries, ...ops)
      .filter(isAcknowledged)
      .map(({ answer }) => textIn(answer, "id"));
  for (const id of ids("import.upload")) {
    // Nobody waits for an import whose commit was not even tried.
    const tried = callsOf(recorder.entries, "import.commit").filter(({ about }) => about.id === id);
    const isCommitted = tried.some((call) => isAcknowledged(call) || call.status === 409);
    await ended(actor, "import.read", id, isCommitted ? isLate : once());
  }
  const downloads = new Set(
    callsOf(recorder.entries, "export.file")
      .filter(isAcknowledged)
      .map(({ about }) => about.id),
  );
  for (const id of ids("export.start")) {
    const state = await ended(actor, "export.read", id, isLate);
    if (state === "done" && !downloads.has(id)) await downloaded(actor, id);
  }
  await holdAll(actor, clientId);
  const name = "the last one";
  const last = await actor.call({
    ...{ op: "lead.create", method: "POST", path: "/api/v1/leads", about: { name }, json: { name } },
  });
  await Promise.all(followers.map((follower) => follower.untilSeen(textIn(last.answer, "id"))));
  await allLeads(actor);
}

/** True from the second time on. */
function once(): () => boolean {
  let times = 0;
  return () => {
    times += 1;
    return times > 1;
  };
}

/** Uses the newest tokens of each chain once more. */
async function holdAll(actor: Actor, clientId: string): Promise<void> {
  const issued = callsOf(actor.scene.recorder.entries, "oauth.exchange", "oauth.refresh").filter(
    isAcknowledged,
  );
  const newest = new Map(issued.map((call) => [String(call.about.chain), call]));
  for (const [chain, { answer }] of newest) {
    await introspect(actor, chain, textIn(answer, "access_token"));
    await refresh(actor, clientId, chain, textIn(answer, "refresh_token"));
  }
}

async function allLeads(actor: Actor): Promise<void> {
  for (let cursor: string | null | undefined, tries = 0; cursor !== null && tries < 100; tries += 1) {
    const call = await actor.call({
      ...{ op: "lead.list", method: "POST", path: "/api/v1/leads/search" },
      json: {
        limit: 500,
        fields: ["id", "name", "external_id", "company", "version"],
        ...(cursor === undefined ? {} : { cursor }),
      },
    });
    if (!isAcknowledged(call)) continue;
    const next = textIn(call.answer, "next_cursor");
    cursor = next === "" ? null : next;
    if (listIn(call.answer, "leads").length === 0) cursor = null;
  }
}
