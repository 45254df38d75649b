import type { Actor } from "./actors/actor.ts";
import type { Follower } from "./actors/feed.ts";
import { committed, downloaded, ended } from "./actors/files.ts";
import { exchange, introspect, refresh } from "./actors/oauth.ts";
import { type Call, callsOf, isAcknowledged, listIn, textIn } from "./history.ts";
import type { Recorder } from "./recorder.ts";

const PATIENCE_MS = 45_000;

/** Reads, over HTTP alone, what the service holds when everything is over. Imports and exports may take until then. */
export async function finalCalls(
  actor: Actor,
  followers: readonly Follower[],
  clientId: string,
): Promise<void> {
  const { recorder } = actor.scene;
  const isLate = patience(recorder);
  const done = (op: Call["op"]) => callsOf(recorder.entries, op).filter(isAcknowledged);
  for (const { answer, about } of done("import.upload")) {
    const id = textIn(answer, "id");
    const isTried = callsOf(recorder.entries, "import.commit").some((commit) => commit.about.id === id);
    // Whether a commit without an answer counts, only another one can tell. Nobody waits for what was not tried.
    if (isTried) await committed(actor, { id, prefix: String(about.prefix) }, isLate);
    await ended(actor, "import.read", id, isTried ? isLate : once());
  }
  const downloads = new Set(done("export.file").map(({ about }) => about.id));
  for (const { answer } of done("export.start")) {
    const id = textIn(answer, "id");
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

/** Returns whether it is too late to ask again. */
function patience(recorder: Recorder): () => boolean {
  const until = recorder.now() + PATIENCE_MS;
  return () => recorder.now() > until;
}

/** True from the second time on. */
function once(): () => boolean {
  let times = 0;
  return () => {
    times += 1;
    return times > 1;
  };
}

/**
 * Uses the newest tokens of each chain once more, then what was used before: its code, which ends nothing, and a
 * superseded token, which ends the chain and so comes last.
 */
async function holdAll(actor: Actor, clientId: string): Promise<void> {
  const isLate = patience(actor.scene.recorder);
  const answered = async (ask: () => Promise<Call>): Promise<Call> => {
    let call = await ask();
    while ((call.status === null || call.status >= 429) && !isLate()) {
      await actor.pause(call);
      call = await ask();
    }
    return call;
  };
  const issued = callsOf(actor.scene.recorder.entries, "oauth.exchange", "oauth.refresh").filter(
    isAcknowledged,
  );
  for (const [chain, own] of Map.groupBy(issued, ({ about }) => String(about.chain))) {
    const newest = textIn(own.at(-1)?.answer, "refresh_token");
    await answered(() => introspect(actor, chain, textIn(own.at(-1)?.answer, "access_token")));
    const last = await answered(() => refresh(actor, clientId, chain, newest));
    for (const { about } of own.filter(({ op }) => op === "oauth.exchange"))
      await answered(() => exchange(actor, clientId, chain, String(about.code)));
    const uses = [...own, last].filter((call) => call.op === "oauth.refresh" && isAcknowledged(call));
    const used = uses.at(-1);
    if (used === undefined) continue;
    await answered(() => refresh(actor, clientId, chain, String(used.about.token)));
    await answered(() => introspect(actor, chain, textIn(used.answer, "access_token")));
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
