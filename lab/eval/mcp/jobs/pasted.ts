import { plain } from "../../data/names.ts";
import { KNOWN } from "../../data/people.ts";

type Guest = readonly [name: string, company: string, email: string];

const GUEST_NAMES = [
  ...["Alícia Benevides", "Aníbal Torquato", "Bárbara Nakamura", "Cássio Imbassahy", "Cíntia Zanella"],
  ...["Dagoberto Lins", "Doralice Fujita", "Edgar Wasem", "Eliane Tozzi", "Fabrício Bühler"],
  ...["Francisca Okada", "Genésio Pontual", "Graziela Venturi", "Humberto Sayeg", "Ilda Kowalski"],
  ...["Ivan Tramontina", "Jacira Muniz", "Joel Strauss", "Kátia Bertolucci", "Lázaro Meneghel"],
  ...["Lorena Hashimoto", "Manoel Tupinambá", "Nívea Scholz", "Orlando Piva", "Pérola Lisboa"],
  ...["Quitéria Novais", "Romeu Zardo", "Sônia Makhoul", "Tarcísio Böhm", "Vanda Ishikawa"],
] as const;

/** The guest whose e-mail address is none. */
export const BAD_GUEST = "Joel Strauss";

/** Thirty people who are no leads yet. */
export const GUESTS: readonly Guest[] = GUEST_NAMES.map((name, n) => {
  const company = `Franquias ${["Leste", "Oeste", "Norte"][n % 3]} ${n + 1}`;
  const address = `${plain(name)}@franquias${n + 1}.example`;
  return [name, company, name === BAD_GUEST ? address.replace("@", "(at)franquias @@") : address];
});

const ALREADY: readonly string[] = KNOWN;

const NEIGHBOUR_NAMES = [
  ...["Ademar Pires", KNOWN[0], "Belmira Koch", "Ciro Dallagnol", KNOWN[1], "Dirce Hoffmann"],
  ...["Egídio Paz", KNOWN[2], "Gema Schmitt", "Hélio Camargo"],
];

/** Ten people; every third one, from the second on, is a lead already. */
export const NEIGHBOURS: readonly Guest[] = NEIGHBOUR_NAMES.map((name, n) => {
  const known = ALREADY.indexOf(name);
  const company = known === -1 ? `Lojas Sul ${n + 1}` : `Casa Nova ${known + 1}`;
  return [name, company, `${plain(name)}@${plain(company).replaceAll(".", "")}.example`];
});
