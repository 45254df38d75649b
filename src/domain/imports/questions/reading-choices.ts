import type { Doubts, FileChoices, FileShape } from "../file/shape/import-file.ts";
import type { Answers } from "./propose.ts";

/** The questions about how a file is read, and which program wrote it. */
export const OF_READING: ReadonlySet<string> = new Set(["encoding", "header_row", "rows:footer", "program"]);

/** How a file is read according to the answers. */
export function choicesOf(choices: FileChoices, answers: Answers): FileChoices {
  const of = (id: string) => (Object.hasOwn(answers, id) ? answers[id]?.choice : undefined);
  const [encoding, header, footer] = [of("encoding"), of("header_row"), of("rows:footer")];
  return {
    ...choices,
    ...(encoding === undefined ? {} : { encoding: encoding as NonNullable<FileChoices["encoding"]> }),
    ...(header === undefined ? {} : header === "none" ? { header: false } : { header_row: Number(header) }),
    ...(footer === undefined ? {} : { footer: footer === "leave_out" }),
  };
}

/** Whether other choices would read a file otherwise than it was read. */
function readsOtherwise(
  choices: FileChoices,
  { encoding, headerRow, lastRow }: FileShape,
  { footer }: Doubts,
): boolean {
  const { encoding: wanted, header, header_row: row, footer: leaves } = choices;
  return (
    (wanted !== undefined && wanted !== encoding) ||
    (header === false ? headerRow !== null : row !== undefined && row !== headerRow) ||
    (leaves !== undefined && footer !== undefined && leaves !== (lastRow !== undefined))
  );
}

/**
 * Returns how a file should be read instead of as it was: if all of its letters show another encoding than its first ones, or the
 * choices say so; undefined if it was read right.
 */
export function otherReading(
  choices: FileChoices,
  { shape, doubts }: { shape: FileShape; doubts: Doubts },
): FileChoices | undefined {
  const likeliest = doubts.encodings?.readings[0]?.encoding;
  const wanted = { ...(likeliest === undefined ? {} : { encoding: likeliest }), ...choices };
  return readsOtherwise(wanted, shape, doubts) ? wanted : undefined;
}
