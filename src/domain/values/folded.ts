/** Returns a text without case, accents and outer white space, by which names are compared in code. */
export const folded = (text: string): string =>
  text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase().trim();
