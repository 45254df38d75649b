import type { UndoOutcome } from "../../contract/lists/changes.ts";
import type { Transaction } from "../../db/pool/database.ts";
import type { Change } from "../changes/change.ts";
import type { KeptField, UndoneRecord } from "../changes/undone-record.ts";
import { type KeptItem, keptOfRecords, type Left, nextKept, saveKept } from "./kept.ts";
import { definitions } from "./kinds/definitions.ts";
import { hiddenValues } from "./kinds/hidden.ts";
import { type Batch, type Kind, STEP, type Undone, type Written } from "./kinds/kind.ts";
import { leads } from "./kinds/leads.ts";
import { narrowStatuses } from "./kinds/lists.ts";
import { merges } from "./kinds/merges.ts";
import { rows } from "./kinds/rows.ts";
import { type Decision, decide } from "./rule/decide.ts";

/** In the order in which they are undone: values need their fields, statuses and leads. */
const KINDS = { merges, definitions, leads, hidden: hiddenValues, rows } as const;

type Part = keyof typeof KINDS;

const PARTS = Object.keys(KINDS) as Part[];

/** What a change has counted if it has something for the part. */
const COUNTED: Record<Part, RegExp> = {
  merges: /^leads_(merged|separated)/,
  definitions: /^(fields|views)_/,
  leads: /^(leads|events)_/,
  hidden: /^fields_/,
  rows: /^rows_/,
};

/**
 * The passes of an undo: all records of the change; those of which an earlier round kept something; those that wait for a
 * value that another record had when it was their turn; and statuses that no lead has any more.
 */
export type Pass = "all" | "kept" | "taken" | "end";

/** A change that an undo takes back, or a part of one. */
export interface Target {
  of: Undone;
  counts: Partial<Record<string, number>>;
  /** The import that it is; not that of an undo of an import. */
  import?: string | undefined;
  /** What the undo calls it in its items if it takes back several; null if it is the only one. */
  key: string | null;
  /** Whether it is marked as undone by this undo, which an earlier round of the undo may have done. */
  marked: boolean;
  /** Whether it clears opt-outs. */
  clears?: boolean;
  passes: readonly Pass[];
  /** Where an earlier round ended before its time. */
  at?: UndoPosition;
}

/** Where the undo of a change continues: in a pass over a part, behind a record or an item. */
export interface UndoPosition {
  pass: Pass;
  part: Part;
  after: string;
}

/** What a step of an undo did. */
export interface UndoneStep {
  done: UndoneRecord[];
  /** How many records were written, with those that callers do not see. */
  written: number;
  /** By how many records more are kept. */
  kept: number;
  /** Of how many records more it is an opt-out. */
  optOuts: number;
  /** How many records were put back for the first time: in this run, and at all. */
  first: { inRun: number; ever: number };
  next: UndoPosition | null;
}

const NOTHING: Omit<UndoneStep, "next"> = {
  done: [],
  written: 0,
  kept: 0,
  optOuts: 0,
  first: { inRun: 0, ever: 0 },
};

/** Values that records exchange are put back together, so all that wait for one are one step. */
const WAITING = 10_000;

const partsOf = ({ counts }: Target): Part[] =>
  PARTS.filter((each) => Object.keys(counts).some((name) => COUNTED[each].test(name)));

/** Where the undo of a change begins; null if it has nothing. */
export function firstOf(target: Target): UndoPosition | null {
  const [[pass], [part]] = [target.passes, partsOf(target)];
  return target.at ?? (pass === undefined || part === undefined ? null : { pass, part, after: "" });
}

function behind(target: Target, { pass, part }: UndoPosition): UndoPosition | null {
  const parts = partsOf(target);
  const next = parts.find((each) => PARTS.indexOf(each) > PARTS.indexOf(part));
  if (next !== undefined && pass !== "end") return { pass, part: next, after: "" };
  const [first] = parts;
  const later = target.passes[target.passes.indexOf(pass) + 1];
  return first === undefined || later === undefined ? null : { pass: later, part: first, after: "" };
}

/** Performs the next step of an undo: some hundred records of one part. `run` is the job that does it. */
export async function undoStep(
  tx: Transaction,
  undo: Change,
  target: Target,
  at: UndoPosition,
  run = "",
): Promise<UndoneStep> {
  const { pass } = at;
  if (pass === "end") {
    await narrowStatuses(tx, undo, target.of);
    return { ...NOTHING, next: null };
  }
  const kind: Kind = KINDS[at.part];
  const of = { key: target.key, kinds: kind.keptAs };
  const limit = pass === "taken" ? WAITING : STEP;
  const again =
    pass === "all"
      ? undefined
      : await nextKept(tx, undo, of, { after: at.after, taken: pass === "taken", limit });
  const page =
    again === undefined
      ? await kind.next(tx, undo, target.of, at.after)
      : {
          ids: again.map((item) => idOf(kind, item)),
          next: again.length < limit ? null : (again.at(-1)?.id ?? null),
        };
  const earlier = again ?? (run === "" ? [] : await keptOfRecords(tx, undo, of, page.ids));
  const isLast = pass === "all" && at.part === "merges" && page.ids.length > 0;
  const end = behind(target, isLast ? { ...at, part: "rows" } : at);
  const next = page.next === null ? end : { ...at, after: page.next };
  if (page.ids.length === 0) return { ...NOTHING, next };
  const items = new Map(earlier.map((item) => [idOf(kind, item), item]));
  const results: Result[] = [];
  for (const batch of await kind.load(tx, undo, target.of, page.ids, again !== undefined)) {
    const only = (id: string) => (again === undefined ? undefined : tried(items.get(id), pass));
    const decisions = batch.records.map((each) =>
      decide(each, batch.rules, batch.fits, only(each.id), target.clears),
    );
    const whole = new Set(batch.records.flatMap(({ id }) => (only(id)?.has(null) === false ? [] : [id])));
    const written = await batch.write(decisions, whole);
    results.push(...resultsOf(batch, decisions, written, (id) => untried(items.get(id), only(id))));
  }
  const found = new Set(results.map(({ id }) => id));
  const left = results.flatMap((result) => leftOf(kind, result, items.get(result.id), run));
  // Nothing is left to put back of a record that is not found any more.
  for (const [id, item] of items) if (again !== undefined && !found.has(id)) left.push(nothingLeft(item));
  const kept = await saveKept(tx, undo, target.key, left);
  const optOuts = left.reduce(
    (sum, { fields, item }) => sum + optOutsIn(fields) - optOutsIn(item?.fields),
    0,
  );
  return { ...summed(kind, results, items, run), kept, optOuts, next };
}

const optOutsIn = (fields: readonly KeptField[] = []): number =>
  Number(fields.some(({ reason }) => reason === "opt_out"));

/** The key of a kept record among those of its kind. */
const idOf = ({ keptAs }: Kind, { kind, record }: KeptItem): string =>
  keptAs.length === 1 ? record : `${kind} ${record}`;

/** The fields that a pass tries again. */
const tried = (item: KeptItem | undefined, pass: Pass): ReadonlySet<string | null> =>
  new Set(
    item?.fields.flatMap(({ field, reason }) => (pass === "taken" && reason !== "taken" ? [] : [field])),
  );

const untried = (item: KeptItem | undefined, only: ReadonlySet<string | null> | undefined): KeptField[] =>
  only === undefined ? [] : (item?.fields ?? []).filter(({ field }) => !only.has(field));

/** What was done to a record. */
interface Result {
  id: string;
  batch: Batch;
  outcome: UndoOutcome;
  putBack: readonly string[];
  kept: readonly KeptField[];
}

const OUTCOMES = { none: "kept", delete: "deleted", restore: "restored", set: "put_back" } as const;

function resultsOf(
  batch: Batch,
  decisions: readonly Decision[],
  { refused, events, done = new Map() }: Written,
  others: (id: string) => readonly KeptField[],
): Result[] {
  const results = decisions.map(({ id, op, back, kept }): Result => {
    const not = refused.get(id) ?? [];
    const fields = new Set(not.map(({ field }) => field));
    const putBack = [...back.keys()].filter((field) => !fields.has(null) && !fields.has(field));
    const isDone = op !== "none" && !fields.has(null) && (op !== "set" || putBack.length > 0);
    const outcome = done.get(id) ?? (isDone ? OUTCOMES[op] : events?.has(id) === true ? "withdrawn" : "kept");
    return {
      id,
      batch,
      outcome,
      putBack: op === "set" ? putBack : [],
      kept: [...others(id), ...kept, ...not],
    };
  });
  const more = [...done].filter(([id]) => decisions.every((each) => each.id !== id));
  return [...results, ...more.map(([id, outcome]) => ({ id, batch, outcome, putBack: [], kept: [] }))];
}

function leftOf(
  kind: Kind,
  { id, batch, outcome, kept }: Result,
  item: KeptItem | undefined,
  run: string,
): Left[] {
  if (kept.length === 0 && item === undefined) return [];
  const shown = batch.shown(id);
  const [only = shown.kind, ...more] = kind.keptAs;
  const marked = outcome === "kept" ? item?.run : run;
  return [
    {
      ...{ shown, item, fields: kept, keyOf: batch.keyOf, run: marked },
      kind: more.length === 0 ? only : shown.kind,
    },
  ];
}

const nothingLeft = (item: KeptItem): Left => ({
  ...{ shown: { id: item.record }, kind: item.kind, fields: [], keyOf: undefined, run: undefined, item },
});

function summed(
  kind: Kind,
  results: readonly Result[],
  items: ReadonlyMap<string, KeptItem>,
  run: string,
): Omit<UndoneStep, "kept" | "optOuts" | "next"> {
  const written = results.filter(({ outcome }) => outcome !== "kept");
  // One of which nothing is kept any more is told, too: a pass before said that it is.
  const isShown = ({ id, outcome, kept }: Result) =>
    kept.length > 0 || items.has(id) || (outcome !== "kept" && kind.isHidden !== true);
  const first = written.filter(({ outcome }) => outcome !== "deleted" && kind.isHidden !== true);
  return {
    written: written.length,
    first: {
      inRun: written.filter(({ id }) => kind.isHidden !== true && items.get(id)?.run !== run).length,
      ever: first.filter(({ id, outcome }) => outcome === "put_back" && items.get(id)?.run === undefined)
        .length,
    },
    done: results.filter(isShown).map(({ id, batch, outcome, putBack, kept }) => {
      const key = batch.keyOf ?? ((field: string) => field);
      return {
        ...batch.shown(id),
        outcome: kind.isHidden === true ? "kept" : outcome,
        putBack: putBack
          .filter((field) => field !== "")
          .map(key)
          .sort(),
        kept: kept.map((each) => ({ ...each, field: each.field === null ? null : key(each.field) })),
      };
    }),
  };
}
