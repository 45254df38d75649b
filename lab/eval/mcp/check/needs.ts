import { numbersIn } from "./numbers.ts";
import type { Outcome } from "./outcome.ts";

/** Something that an outcome must have, or must not have. */
export interface Need {
  /** For the report. */
  says: string;
  met(outcome: Outcome): boolean;
}

/** Returns a text without case, accents and marks of formatting. */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[*_`’‘]/g, (mark) => (mark === "’" || mark === "‘" ? "'" : ""))
    .replace(/\s+/g, " ")
    .toLowerCase();

/** The answer has this number, or one that differs by at most `within` of it, such as 0.02. */
export const number = (wanted: number, within = 0): Need => ({
  says: `the number ${wanted}`,
  met: ({ answer }) => hasNumber(answer, wanted, Math.abs(wanted) * within),
});

/** The answer has this percentage, rounded to whole percents or finer. */
export const percent = (wanted: number): Need => ({
  says: `${wanted.toFixed(1)} %`,
  met: ({ answer }) => hasNumber(answer, wanted, 0.51) || hasNumber(answer, wanted / 100, 0.0051),
});

/** The answer has this time, in seconds, minutes, hours or days. */
export const duration = (seconds: number): Need => ({
  says: `about ${Math.round(seconds / 60)} minutes`,
  met: ({ answer }) =>
    [1, 60, 3_600, 86_400].some((unit) => hasNumber(answer, seconds / unit, (seconds / unit) * 0.05)) ||
    hasNumber(hoursAndMinutes(answer), seconds / 60, (seconds / 60) * 0.05),
});

/** Returns 3 h 25 min and 3h25 as 205 minutes. */
const hoursAndMinutes = (answer: string): string =>
  answer.replace(
    /(\d+) ?(?:h|hours?|horas?|hrs?)\.?,?(?: and| e)? ?(\d{1,2}) ?(?:m|min|minutes?|minutos?)?\b/gi,
    (_, hours: string, minutes: string) => `${Number(hours) * 60 + Number(minutes)} minutes`,
  );

const hasNumber = (answer: string, wanted: number, off: number): boolean =>
  numbersIn(answer).some((found) => Math.abs(found - wanted) <= off + 1e-9);

/** The answer has one of these texts. */
export const text = (...any: readonly string[]): Need => ({
  says: any.map((each) => `“${each}”`).join(" or "),
  met: ({ answer }) => any.some((each) => folded(answer).includes(folded(each))),
});

/** The answer has all of these names, or `least` of them. */
export const names = (all: readonly string[], least = all.length): Need => ({
  says: `${least} of: ${all.join(", ")}`,
  met: ({ answer }) => all.filter((each) => folded(answer).includes(folded(each))).length >= least,
});

/** The answer, without case and accents, matches. */
export const words = (says: string, pattern: RegExp): Need => ({
  says,
  met: ({ answer }) => pattern.test(folded(answer)),
});

/** What people say when they could not do something. */
const NOT_DONE =
  /\b(can't|cannot|can not|couldn't|could not|unable|not able|not possible|no way to|doesn't (offer|support|have|allow)|does not (offer|support|have|allow)|isn't (possible|available|supported)|not (available|supported)|no tool|(didn't|did not) (send|give|add|invite)|there is no|there's no|nao (posso|consigo|consegui|e possivel|foi possivel|pude|ha|existe|tenho|oferece|permite|da para)|nao (dei|enviei|adicionei|convidei|gerencia[mr]?|enviam?)|impossivel|sem (permissao|ferramenta))\b/;

/** The answer says that something cannot be done. */
export const notDone: Need = words("that it cannot do this", NOT_DONE);

/** The answer asks the person something. */
export const asks: Need = { says: "a question", met: ({ answer }) => answer.includes("?") };

/** Any of these. */
export const either = (...needs: readonly Need[]): Need => ({
  says: needs.map(({ says }) => says).join(", or "),
  met: (outcome) => needs.some((need) => need.met(outcome)),
});

/** A file was made of so many leads, with these columns, or the answer has all of these texts itself. */
export const file = (leads: number, columns: readonly string[]): Need => ({
  says: `a file of ${leads} leads with ${columns.join(", ")}`,
  met: ({ exports }) =>
    exports.some(
      (made) =>
        made.state === "done" &&
        made.total === leads &&
        (made.columns === null || columns.every((column) => made.columns?.includes(column))),
    ),
});
