import type { Meaning } from "../../contract/lists/figures.ts";
import type { Field } from "./lead-field.ts";

/** What statuses mean; those that are not in it mean what their names say. */
export type Meanings = Readonly<Record<string, Meaning>>;

const WON =
  "won|closed won|deal won|win|sold|customer|client|converted|ganho|ganha|ganhou|fechado|fechada|fechado ganho|" +
  "negocio fechado|vendido|vendida|venda|cliente|convertido|convertida";
const LOST =
  "lost|closed lost|deal lost|disqualified|unqualified|rejected|perdido|perdida|perdeu|fechado perdido|" +
  "desqualificado|desqualificada|descartado|descartada|recusado|recusada";

const BY_NAME: ReadonlyMap<string, Meaning> = new Map([
  ...WON.split("|").map((name) => [name, "won"] as const),
  ...LOST.split("|").map((name) => [name, "lost"] as const),
]);

const plain = (status: string): string =>
  status
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The meaning of each status: the chosen one, otherwise what its English or Portuguese name says, otherwise open. */
export const meaningsOf = (statuses: readonly string[], chosen: Meanings): Record<string, Meaning> =>
  Object.fromEntries(
    statuses.map((status) => [
      status,
      (Object.hasOwn(chosen, status) ? chosen[status] : BY_NAME.get(plain(status))) ?? "open",
    ]),
  );

/**
 * The names of statuses with this meaning: those of the project, those that it had and chose a meaning for, and the usual ones, as events
 * keep the names of statuses that the project has no more.
 */
export function namesOf(meaning: Meaning, statuses: readonly string[], chosen: Meanings): string[] {
  const known = Object.entries(meaningsOf([...new Set([...statuses, ...Object.keys(chosen)])], chosen));
  const taken = new Set(known.map(([status]) => plain(status)));
  const usual = [...BY_NAME].filter(([name]) => !taken.has(name));
  return [...known, ...usual].flatMap(([name, means]) => (means === meaning ? [name] : []));
}

/** Whether a field is the currency of a lead's value. */
export const isCurrency = ({ column, key }: Pick<Field, "column" | "key">): boolean =>
  key === undefined && column === "currency";

/** Whether a field is an amount of money, which is never added to or compared with one in another currency. */
export const isMoney = ({ column, key }: Pick<Field, "column" | "key">): boolean =>
  key === undefined && column === "value";

/** The project's currency as SQL; NULL if it has none. `project` is the SQL of its id. */
export const ownCurrencySql = (project: string): string =>
  `(SELECT currency FROM project WHERE project_id = ${project})`;

/** The currency of a lead as SQL of a statement FROM lead: its own, otherwise the project's. */
export const currencySql = (project: string): string => `coalesce(currency, ${ownCurrencySql(project)})`;

/** A project's statuses as a change keeps them: without meanings where none was chosen, as before there were any. */
export const statusItem = ({
  statuses,
  meanings = {},
}: {
  statuses: string[];
  meanings?: Meanings;
}): { statuses: string[]; meanings?: Meanings } => ({
  statuses,
  ...(Object.keys(meanings).length === 0 ? {} : { meanings }),
});
