import { setTimeout as sleep } from "node:timers/promises";
import { bodyOf } from "../../api/support/v1.ts";
import type { ImportBody } from "../../imports/support/uploading.ts";
import type { HistoryModel, ModelChange } from "./history-model.ts";
import { isOpen } from "./model-changes.ts";
import type { ToldCalls } from "./told-calls.ts";

/** Undos in a history: of one change, and of all since one. */
export function undosOf(calls: ToldCalls, model: HistoryModel) {
  const { random } = calls;
  const call = calls.call.bind(calls);
  const send = calls.send.bind(calls);
  const fail = calls.fail.bind(calls);
  return { undo, undoSince };

  /** Undoes a change, or continues its undo; a merge also by its own address. */
  async function undo(change: ModelChange): Promise<void> {
    const [merge] = change.merges;
    const isMerge = change.merges.length === 1 && change.parts.length === 0 && merge?.did === "joined";
    const isOwn = isMerge && merge.of.change === change && random() < 0.4;
    const path = isOwn ? `merges/${await mergeOf(change)}/undo` : `changes/${change.id}/undo`;
    const isDry = !isOwn && random() < 0.3;
    const dry = isDry ? await call(change.author, "POST", path, { dry_run: true }) : undefined;
    const isAgain = change.undoneBy !== undefined;
    const made = model.begin(change.author, { undid: [change] });
    const expected = model.undo(change, made, change.isImport);
    const undone = change.undoneBy;
    const answer = await call(change.author, "POST", path, isOwn ? undefined : {});
    if (expected.counts === undefined) {
      if (answer.status !== 409) fail(`the undo answered ${answer.status}, the model refuses it`);
      if (dry !== undefined && dry.status !== 409) fail(`the dry run answered ${dry.status}`);
      return;
    }
    if (answer.status >= 300) fail(`${answer.status} ${JSON.stringify(answer.body)}`);
    const { id } = answer;
    const isChange = expected.made || change.isImport;
    if ((id !== null) !== isChange) fail(`the undo is the change ${id}`);
    if (!isOwn && answer.body.change_id !== id) fail(`the undo answered the change ${answer.body.change_id}`);
    if (isAgain && id !== null && id !== undone?.id)
      fail(`the continued undo is ${id} and not ${undone?.id}`);
    if (!isAgain && isChange && undone !== undefined) model.end(undone, id ?? "");
    if (dry !== undefined) same(dry.body.counts, expected.counts, "the dry run");
    if (change.isImport) {
      const { deleted = 0, restored = 0, left = 0 } = change.importUndo ?? {};
      return same(await endOf(change, id ?? ""), { deleted, restored, left }, "the undo of the import");
    }
    if (!isOwn) same(answer.body.counts, expected.counts, "the undo");
    await marks();
  }

  /** Undoes all that an author has done since a change. */
  async function undoSince(first: ModelChange): Promise<void> {
    const { author } = first;
    const { body } = await send(author, "GET", `changes/${first.id}?limit=1`);
    const mine = model.changes.filter((change) => change.author === author);
    const since = mine.slice(mine.indexOf(first)).reverse();
    const wanted = since.filter(
      ({ undid }) => undid.length === 0 || undid.some((each) => !since.includes(each)),
    );
    const fresh = wanted.filter(({ undoneBy }) => undoneBy === undefined);
    const by = fresh.length > 0 ? undefined : wanted.find(isOpen)?.undoneBy;
    const chosen = wanted.filter((change) => isOpen(change) && change.undoneBy === by);
    const left = wanted.filter((change) => isOpen(change) && change.undoneBy !== by);
    const call_ = { actor: body.actor.id, from: body.created_at };
    const dry =
      random() < 0.3 ? await send(author, "POST", "changes/undo", { ...call_, dry_run: true }) : undefined;
    const made = model.begin(author);
    const expected = model.undoMany(chosen, by ?? made);
    const answer = await send(author, "POST", "changes/undo", call_);
    for (const each of dry === undefined ? [answer] : [answer, dry]) {
      same(each.body.counts, expected.counts, "the undo of many");
      same(each.body.changes, chosen.length, "the changes");
      const refused = each.body.not_undone.map(({ change_id: id }: { change_id: string }) => id);
      same(refused.sort(), [...left, ...expected.refused].map(({ id }) => id).sort(), "what was not undone");
    }
    if ((answer.id !== null) !== expected.made) fail(`the undo of many is the change ${answer.id}`);
    if (by === undefined && expected.made) model.end(made, answer.id ?? "");
    await marks();
  }

  async function mergeOf(change: ModelChange): Promise<string> {
    return (await send(change.author, "GET", `changes/${change.id}?limit=1`)).body.about.merge_id;
  }

  /** Compares which changes are undone, by which, and what can be undone. */
  async function marks(): Promise<void> {
    const { body } = await send(0, "GET", "changes?limit=100");
    const found = new Map<string, Record<string, unknown>>(
      body.changes.map((change: Record<string, unknown>) => [String(change.id), change]),
    );
    for (const change of model.changes) {
      const shown = found.get(change.id);
      const { undoneBy } = change;
      const what = `${change.id} (undone by, open, kept)`;
      const kept = (shown?.counts as { kept?: number } | undefined)?.kept ?? 0;
      same(
        [shown?.undone_by, shown?.reversible, kept],
        [undoneBy?.id ?? null, isOpen(change), change.kept.length],
        what,
      );
    }
  }

  function same(actual: unknown, wanted: unknown, what: string): void {
    calls.tell(`= ${JSON.stringify(actual)}`);
    if (JSON.stringify(actual) !== JSON.stringify(wanted))
      fail(`${what}, in the model: ${JSON.stringify(wanted)}`);
  }

  /** Waits until the undo of an import has ended; returns what it did. */
  async function endOf({ author, id: of }: ModelChange, id: string): Promise<object> {
    for (;;) {
      const { body } = await call(author, "GET", `changes/${id}`);
      if (body.state === "running") await sleep(20);
      else {
        const { about } = (await call(author, "GET", `changes/${of}?limit=1`)).body;
        const imported = await calls.key(author).send("GET", `/api/v1/imports/${about.import_id}`);
        const { deleted, restored, left } = (await bodyOf<ImportBody>(imported)).undo ?? {};
        return { deleted, restored, left };
      }
    }
  }
}
