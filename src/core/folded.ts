/**
 * Returns a text without case, accents and outer white space, by which names are compared in code. Every blank is a space, and a
 * final sigma is a sigma.
 */
export const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/\p{Zs}/gu, " ")
    .toLowerCase()
    .replaceAll("ς", "σ")
    .trim();
