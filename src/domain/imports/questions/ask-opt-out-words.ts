import type { ColumnRule } from "../../../contract/imports/import-mapping.ts";
import { NO_WORDS, optOutOf, YES_WORDS } from "../../../contract/lists/opt-outs.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import { type Ask, type Asking, ask, choice, cut } from "./ask.ts";
import { optionId } from "./option-id.ts";

/** Asks what words of an opt-out column mean that no program is known for. */
export function askWords({ draft }: Asking, { name, values }: ColumnProfile, rule: ColumnRule): Ask[] {
  const unknown = (values ?? []).filter((value) => {
    if (Object.hasOwn(rule.values ?? {}, value)) return false;
    const word = value.trim().toLowerCase();
    return optOutOf(value) === undefined && !YES_WORDS.has(word) && !NO_WORDS.has(word);
  });
  return unknown.map((value) =>
    ask("option", optionId(rule.field, value), {
      columns: [name],
      examples: [cut(value)],
      message: `"${cut(value)}" in "${name}" does not say whether the person opted out.`,
      choices: [
        choice("opt_out", "Do not contact the person", [value]),
        choice("blank", "It says nothing", [value]),
        choice("none", "The person did not opt out", [value]),
      ],
      default: "opt_out",
      apply(picked) {
        const meant = { opt_out: "do_not_contact", blank: "", none: "none" }[picked] ?? "";
        const words: Readonly<Record<string, string>> = { do_not_contact: "true", none: "false" };
        const text = rule.field === "opt_out" ? meant : (words[meant] ?? "");
        rule.values = { ...rule.values, [value]: text };
        draft.rules.set(name, rule);
      },
    }),
  );
}
