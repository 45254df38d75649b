const WON = "won|closed won|deal won|ganho|ganha|ganhou|vendido|venda|cliente|customer|converted|convertido";
const LOST =
  "lost|closed lost|deal lost|perdido|perdida|perdeu|disqualified|desqualificado|descartado|unqualified";

/** The statuses that count as won and as lost. */
export interface Outcomes {
  won: readonly string[];
  lost: readonly string[];
}

const plain = (status: string): string =>
  status
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

const named = (statuses: readonly string[], names: string): string[] =>
  statuses.filter((status) => names.split("|").includes(plain(status)));

/** Guesses the outcomes from the names of the statuses, until the person sets them. */
export const outcomesOf = (statuses: readonly string[]): Outcomes => ({
  won: named(statuses, WON),
  lost: named(statuses, LOST),
});
