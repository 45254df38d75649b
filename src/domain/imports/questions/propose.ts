import type { FoundPreset } from "../../../contract/imports/import.ts";
import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { ImportQuestion } from "../../../contract/imports/import-question.ts";
import type { Column } from "../../fields/column.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import type { RowKind } from "../file/row-watch.ts";
import type { Doubts } from "../file/shape/import-file.ts";
import { draftOf, mappingOf } from "../mapping/draft.ts";
import { type Contest, type Guesses, guessMapping } from "../mapping/guess-mapping.ts";
import { guessRowMapping } from "../mapping/guess-row-mapping.ts";
import type { ImportTarget } from "../mapping/import-target.ts";
import type { Preset } from "../mapping/preset-list.ts";
import type { Ask, Asking } from "./ask.ts";
import { askContests, askMain } from "./ask-columns.ts";
import { askCurrency } from "./ask-currency.ts";
import { askIdentity } from "./ask-identity.ts";
import { askLeftOut } from "./ask-left-out.ts";
import { askOptOuts } from "./ask-opt-outs.ts";
import { askOptions } from "./ask-options.ts";
import { programOf } from "./ask-program.ts";
import { askReading } from "./ask-reading.ts";
import { askStyles } from "./ask-style.ts";
import { askUnused } from "./ask-unused.ts";

/** What is known of records that become leads or rows: their columns, and what was told from their content. */
export interface Facts {
  columns: readonly ColumnProfile[];
  doubts: Doubts;
  kinds?: readonly RowKind[] | undefined;
}

/** What the sender declares besides how the file is read. */
export interface Given {
  preset?: string | undefined;
  mapping?: ImportMapping | undefined;
  mode?: ImportMapping["mode"] | undefined;
  dates?: ImportMapping["dates"] | undefined;
  decimals?: ImportMapping["decimals"] | undefined;
  fill?: boolean | undefined;
  clear_opt_out?: boolean | undefined;
}

/**
 * Choices by question, and the earlier import that each was made in, if it was taken over. One that is `over` was made before a
 * mapping was given, which counts instead; files to come are answered by it.
 */
export type Answers = Readonly<
  Record<string, { choice: string; from?: string | undefined; over?: true | undefined }>
>;

/** How columns become fields, and what that leaves open. */
export interface Proposal {
  mapping: ImportMapping;
  preset: FoundPreset | null;
  guesses: Guesses;
  questions: ImportQuestion[];
}

interface Proposing {
  target: ImportTarget;
  /** The columns of the dataset, if the records become its rows. */
  dataset?: { columns: readonly Pick<Column, "key" | "label">[] } | null | undefined;
  given?: Given;
  answers?: Answers;
  /** Whether the caller may create fields and options. */
  mayCreate: boolean;
  /** Whether nobody can be asked: blocking questions take what applies then. */
  takesDefaults?: boolean;
}

/**
 * Proposes a mapping for records and asks what it leaves open. Answers, and without one the defaults, are already in the mapping. Of a
 * given mapping only styles and options are asked.
 */
export function propose(
  facts: Facts,
  { target, dataset, given = {}, answers = {}, mayCreate, takesDefaults = false }: Proposing,
): Proposal {
  const { columns, doubts, kinds } = facts;
  const { preset: declared, mapping: own, ...said } = given;
  const questions: ImportQuestion[] = [];
  const settle = ({ apply, unasked, ...asked }: Ask): string | null => {
    const usual = asked.default ?? (takesDefaults ? (unasked ?? null) : null);
    const answer = Object.hasOwn(answers, asked.id) ? answers[asked.id] : undefined;
    const isKnown = answer?.over !== true && asked.choices.some(({ id }) => id === answer?.choice);
    const known = isKnown ? answer : undefined;
    const picked = known?.choice ?? usual;
    if (picked !== null) apply(picked);
    questions.push({
      ...asked,
      default: usual,
      blocking: asked.blocking && usual === null,
      answer: known?.choice ?? null,
      answered_in: known?.from ?? null,
    });
    return picked;
  };
  const asking: Asking = {
    ...{ draft: draftOf({ columns: {} }), columns, target, preset: undefined, kinds, doubts, mayCreate },
    isGiven: own !== undefined,
  };
  for (const each of askReading(asking)) settle(each);
  const found = target.rows === null && own === undefined ? programOf(columns, declared, settle) : undefined;
  const guess = guessed(asking, own, found?.preset, dataset?.columns);
  asking.draft = guess.draft;
  asking.preset = found?.preset;
  Object.assign(asking.draft.rest, definedOf(said));
  const steps: ((asking: Asking) => Ask[])[] = [
    () => askContests(asking, guess.contests),
    ...(target.rows === null && own === undefined ? [askMain, askOptOuts] : []),
    ...[askOptions, askStyles, askCurrency, askLeftOut, askUnused, askIdentity],
  ];
  for (const step of steps) for (const each of step(asking)) settle(each);
  const mapping = mappingOf(asking.draft, columns);
  return { mapping, preset: found?.shown ?? null, guesses: guess.guesses, questions };
}

function guessed(
  { columns, target, mayCreate }: Asking,
  own: ImportMapping | undefined,
  preset: Preset | undefined,
  ofDataset: readonly Pick<Column, "key" | "label">[] | undefined,
): { draft: Asking["draft"]; guesses: Guesses; contests: readonly Contest[] } {
  const guess =
    ofDataset === undefined
      ? guessMapping(columns, target, { preset, mayCreate })
      : guessRowMapping(columns, ofDataset);
  return own === undefined ? guess : { draft: draftOf(own), guesses: guess.guesses, contests: [] };
}

/** Only the options that were given. */
const definedOf = (said: object): Partial<ImportMapping> =>
  Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
