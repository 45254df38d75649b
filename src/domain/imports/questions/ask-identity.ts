import { filledBit } from "../file/row-watch.ts";
import { plainHeader } from "../mapping/header-words.ts";
import { type Ask, type Asking, ask, choice, columnChoice } from "./ask.ts";

const IDENTITIES: ReadonlySet<string> = new Set(["id", "external_id", "email", "emails", "phone", "phones"]);
const MOST_OFFERED = 4;

/** Asks how rows are found again that have no id, external id, e-mail or phone: the same file twice would be twice the leads. */
export function askIdentity(asking: Asking): Ask[] {
  const { draft, columns, target, preset, isGiven, kinds = [] } = asking;
  if (target.rows !== null || isGiven || draft.set.external_id !== undefined) return [];
  const places = columns.flatMap(({ name }, i) =>
    IDENTITIES.has(draft.rules.get(name)?.field ?? "") ? [i] : [],
  );
  const unnamed = kinds
    .filter(([filled]) => filled > 0 && places.every((place) => !hasBit(filled, place)))
    .reduce((sum, [, rows]) => sum + rows, 0);
  if (unnamed === 0) return [];
  const distinct = columns.filter(
    ({ distinct: isDistinct, looks, filled, longest = 0 }, i) =>
      isDistinct === true && filled >= unnamed && !places.includes(i) && looks !== "email" && longest <= 500,
  );
  const own = new Set((preset?.identify ?? []).map(plainHeader));
  const offered = [
    ...distinct.filter(({ name }) => own.has(plainHeader(name))),
    ...distinct.filter(({ looks, name }) => looks === "url" && !own.has(plainHeader(name))),
    ...distinct.filter(
      ({ looks, name }) => looks !== "url" && /\bid\b|guid|uuid|código|codigo|number|nummer/i.test(name),
    ),
  ].slice(0, MOST_OFFERED);
  const names = columns.filter(({ name }) => NAMES.includes(draft.rules.get(name)?.field ?? ""));
  const rows = unnamed === 1 ? "One row has" : `${unnamed} rows have`;
  return [
    ask("identity", "identity", {
      columns: offered.map(({ name }) => name),
      message: `${rows} no id, external id, e-mail or phone. Without one, importing the file again creates the same leads again.`,
      choices: [
        ...offered.map(columnChoice),
        ...(names.length > 0
          ? [
              choice("name", `${names.map(({ name }) => name).join(" and ")} identify them`, [
                names.map(({ samples }) => samples[0] ?? "").join(" · "),
              ]),
            ]
          : []),
        choice("none", "Create a new lead for each"),
        choice("leave_out", "Leave them out"),
      ],
      default: offered[0]?.name ?? "none",
      apply(picked) {
        if (picked === "none") return;
        if (picked === "leave_out") draft.rest.skip_unidentified = true;
        else draft.rest.identify = picked === "name" ? names.map(({ name }) => name).slice(0, 5) : [picked];
      },
    }),
  ];
}

const NAMES: readonly string[] = ["name", "first_name", "last_name", "company"];

const hasBit = (filled: number, column: number): boolean => {
  const bit = filledBit(column);
  // A column that is not watched may be filled.
  return bit === 0 || Math.floor(filled / bit) % 2 === 1;
};
