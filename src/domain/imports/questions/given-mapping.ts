import { isDeepStrictEqual } from "node:util";
import type { ImportMapping } from "../../../contract/imports/import-mapping.ts";
import type { Proposed, Said } from "./keep-proposal.ts";
import type { Answers } from "./propose.ts";
import { OF_READING } from "./reading-choices.ts";

interface Present {
  mapping: ImportMapping;
  said: Said | null;
  answers: Answers;
}

/**
 * Returns what a mapping says in place of the present one. If only how rows are written differs, it stays the proposed one, with its
 * questions; else it is given.
 */
export function saidBy(mapping: ImportMapping, present: Present): Pick<Proposed, "said" | "answers"> {
  const said = { choices: {}, ...present.said };
  return isProposed(mapping, present.mapping)
    ? { said: { ...said, ...howOf(mapping) }, answers: present.answers }
    : { said: { mapping, choices: said.choices }, answers: overruled(present.answers) };
}

/** How rows are written, which is no question of the file. */
const howOf = ({
  mode,
  fill,
  clear_opt_out,
}: ImportMapping): Pick<Said, "mode" | "fill" | "clear_opt_out"> => ({
  ...{ mode, fill, clear_opt_out },
});

/** Whether a mapping differs from the present one only in how rows are written. */
const isProposed = (mapping: ImportMapping, present: ImportMapping): boolean =>
  isDeepStrictEqual(
    ...([mapping, present].map(({ mode: _, fill: __, clear_opt_out: ___, ...rest }) => rest) as [
      object,
      object,
    ]),
  );

/** Answers that are about the mapping count only for files to come. */
const overruled = (answers: Answers): Answers =>
  Object.fromEntries(
    Object.entries(answers).map(([id, answer]) => [
      id,
      OF_READING.has(id) ? answer : { ...answer, over: true as const },
    ]),
  );
