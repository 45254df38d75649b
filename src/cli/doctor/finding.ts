/** What a check found: `mistake` breaks something or gives it away, `warning` will hurt some day. */
export interface Finding {
  result: "ok" | "warning" | "mistake";
  /** What is so, as a sentence. */
  found: string;
  /** What to do about it; null if nothing is to be done. */
  advice: string | null;
}

export const ok = (found: string): Finding => ({ result: "ok", found, advice: null });
export const warning = (found: string, advice: string): Finding => ({ result: "warning", found, advice });
export const mistake = (found: string, advice: string): Finding => ({ result: "mistake", found, advice });

/** What is found of a check that needs the database, while that does not answer. */
export const unasked: Finding = warning(
  "Not checked, because the database does not answer.",
  "Correct the database first.",
);

/** What an error says, for a sentence. */
export const wordsOf = (error: unknown): string => {
  const { message, code, cause } = error as NodeJS.ErrnoException & { cause?: unknown };
  // A connection to several addresses has an error without words for all of them.
  const words = message || code || String(error);
  return cause instanceof Error && !words.includes(cause.message) ? `${words}: ${cause.message}` : words;
};
