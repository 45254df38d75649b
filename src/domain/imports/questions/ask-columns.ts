import { columnsOf } from "../mapping/draft.ts";
import { type Contest, FURTHER } from "../mapping/guess-mapping.ts";
import { type Ask, type Asking, ask, columnChoice } from "./ask.ts";

/** Asks which of several columns fills a field, if it is not a list. */
export const askContests = ({ draft }: Asking, contests: readonly Contest[]): Ask[] =>
  contests.map(({ field, columns }) => {
    const names = columns.map(({ name }) => name);
    const [first = ""] = names;
    return ask("two_columns", `two_columns:${field}`, {
      columns: names,
      message: `${names.map((name) => `"${name}"`).join(" and ")} both seem to be the field ${field}. Choose one.`,
      choices: columns.map(columnChoice),
      default: null,
      unasked: first,
      blocking: true,
      apply(name) {
        const rule = draft.rules.get(first);
        if (rule === undefined || name === first) return;
        draft.rules.delete(first);
        draft.rules.set(name, rule);
      },
    });
  });

const MAINS = [
  ["phone", "main_phone"],
  ["email", "main_email"],
] as const;

/** Mobile phones in the languages of header words, which are the main phones of most people. */
const MOBILE = /mobil|celular|cell|whats|handy|portable|móvil|movil|телефон моб|моб|携帯|手机|komórk|komork/i;

/** Asks which of several columns has the main phone or e-mail; the others are further ones. */
export function askMain({ draft, columns, preset }: Asking): Ask[] {
  return MAINS.flatMap(([main, kind]) => {
    const list = FURTHER[main] ?? main;
    const inMain = columnsOf(draft, main, columns);
    const all = [...inMain, ...columnsOf(draft, list, columns)].filter(
      ({ filled, looks }) => filled > 0 && looks !== null,
    );
    if (all.length < 2) return [];
    const own = inMain.find(({ filled }) => filled > 0);
    const mobile =
      preset === undefined && main === "phone" ? all.find(({ name }) => MOBILE.test(name)) : undefined;
    return [
      ask(kind, kind, {
        columns: all.map(({ name }) => name),
        message: `Several columns have ${main === "phone" ? "phones" : "e-mails"}. Choose the main one; the others become further ones.`,
        choices: all.map(columnChoice),
        default: (mobile ?? own ?? all[0])?.name ?? null,
        apply(name) {
          for (const column of new Set([...inMain, ...all])) {
            const rule = draft.rules.get(column.name);
            if (rule !== undefined)
              draft.rules.set(column.name, { ...rule, field: column.name === name ? main : list });
          }
        },
      }),
    ];
  });
}
