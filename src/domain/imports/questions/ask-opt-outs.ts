import { NO_WORDS, OPT_OUT_FIELDS, optOutState } from "../../../contract/lists/opt-outs.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import { type Ask, type Asking, ask, choice, cut } from "./ask.ts";

/** Asks whether columns are read as opt-outs. */
export const askOptOuts = (asking: Asking): Ask[] =>
  asking.columns.flatMap((column) => {
    const { draft } = asking;
    const { name, filled, samples, values } = column;
    const field = draft.rules.get(name)?.field ?? "";
    if (filled === 0) return [];
    if (!OPT_OUT_FIELDS.has(field)) return askRefusals(asking, column, field);
    return [
      ask("opt_out", `opt_out:${name}`, {
        columns: [name],
        examples: (values ?? samples).slice(0, 5),
        message: `"${name}" is read as whether a person opted out of being contacted.`,
        choices: [
          choice("opt_out", "People who opted out are not contacted", samples),
          choice("ignore", "It says something else", samples),
        ],
        default: "opt_out",
        apply(picked) {
          if (picked === "ignore") draft.rules.delete(name);
        },
      }),
    ];
  });

/** Fields whose words may say that nobody may contact a person. */
const STAGES: readonly string[] = ["status", "lifecycle_stage"];

/** A question of a form about contact, in English, Portuguese, Spanish, German, French or Italian. */
const ABOUT_CONTACT = /contact|contat|marketing|newsletter|e-?mails?|lgpd|gdpr|rgpd|dsgvo/i;
const ABOUT_CONSENT =
  /accept|agree|consent|aceit|autoriz|acept|permit|einverstanden|einwillig|zustimm|accord|accett|\?/i;
/** A no below a name such as `Newsletter` is no opt-out: the person did not agree. One below a question refuses. */
const isRefusal = (name: string, answer: string): boolean =>
  REFUSAL.test(answer) && (name.includes("?") || !NO_WORDS.has(answer.toLowerCase()));

const REFUSAL = /^(?:n[aã]o|no|nein|non)\b/i;

/** Asks about a column that is no opt-out itself, but has words for one: a stage, or the answer to a question of a form. */
function askRefusals(
  { draft, target }: Asking,
  { name, values, samples }: ColumnProfile,
  field: string,
): Ask[] {
  if (target.rows !== null || draft.optOutIf[name] !== undefined) return [];
  const isForm = field === "" && ABOUT_CONTACT.test(name) && ABOUT_CONSENT.test(name);
  const words = (values ?? []).filter((value) => {
    const state = optOutState(value);
    return STAGES.includes(field)
      ? state === "withdrawn" || state === "do_not_contact"
      : isForm && isRefusal(name, value.trim());
  });
  if (words.length === 0) return [];
  return [
    ask("opt_out", `opt_out:${name}`, {
      columns: [name],
      examples: words,
      message: `${words.map((word) => `"${cut(word)}"`).join(" and ")} in "${name}" ${words.length === 1 ? "says" : "say"} that the person does not want to be contacted.`,
      choices: [
        choice("opt_out", "Do not contact these people", words),
        choice("ignore", "It says something else", samples),
      ],
      default: "opt_out",
      apply(picked) {
        if (picked === "opt_out") draft.optOutIf[name] = words;
      },
    }),
  ];
}
