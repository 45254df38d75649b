import type { ColumnRule } from "../../../contract/imports/import-mapping.ts";
import { OPT_OUT_FIELDS } from "../../../contract/lists/opt-outs.ts";
import { folded } from "../../../core/folded.ts";
import { isCustom } from "../../values/value.ts";
import type { ColumnProfile } from "../file/column-profile.ts";
import { type Ask, type Asking, ask, choice, cut } from "./ask.ts";
import { askWords } from "./ask-opt-out-words.ts";
import { optionId } from "./option-id.ts";

const MOST_OPTIONS = 30;
const STAGE = "lifecycle_stage";

/** Asks what becomes of values that are not options of their field, such as statuses that the project does not have. */
export function askOptions(asking: Asking): Ask[] {
  return asking.columns.flatMap((column) => {
    const rule = asking.draft.rules.get(column.name);
    if (rule === undefined || column.filled === 0 || rule.unknown !== undefined) return [];
    if (OPT_OUT_FIELDS.has(rule.field) && asking.target.rows === null)
      return asking.isGiven ? [] : askWords(asking, column, rule);
    const field = asking.target.fields.get(rule.field);
    if (field?.type !== "enum") return [];
    const known = new Set(field.options.map(folded));
    if (column.values === null) return askMany(asking, column, rule);
    const unknown = column.values.filter(
      (value) => !Object.hasOwn(rule.values ?? {}, value) && !known.has(folded(plain(value, rule))),
    );
    return unknown.map((value) => askOption(asking, column, rule, { value, options: field.options }));
  });
}

const plain = (value: string, { prefix = "" }: ColumnRule): string =>
  prefix !== "" && value.startsWith(prefix) ? value.slice(prefix.length).trim() : value;

function askOption(
  asking: Asking,
  { name }: ColumnProfile,
  rule: ColumnRule,
  { value, options }: { value: string; options: readonly string[] },
): Ask {
  const { draft, target, mayCreate, isGiven } = asking;
  const { field } = rule;
  const isRows = target.rows !== null;
  const mayKeep = !isGiven && canKeep(asking, name, field);
  const extends_ = !isRows && mayCreate && (field === "status" || isCustom(field));
  return ask("option", optionId(field, value), {
    columns: [name],
    examples: [cut(value)],
    message: `"${cut(value)}" in "${name}" is not ${field === "status" && !isRows ? "a status of the project" : `an option of ${field}`}.`,
    choices: [
      ...options.slice(0, MOST_OPTIONS).map((option) => choice(`is:${option}`, option, [value])),
      ...(extends_ ? [choice("create", `Add "${cut(value)}"`, [value])] : []),
      ...(mayKeep ? [choice("keep", "Keep the text as the lifecycle stage", [value])] : []),
      choice("blank", "Leave the value out", [value]),
      ...(isRows || isGiven ? [choice("fail", "Do not import its rows", [value])] : []),
    ],
    default: isRows || isGiven ? "fail" : mayKeep ? "keep" : "blank",
    apply(picked) {
      if (picked === "fail") return;
      if (picked === "create")
        draft.options[field] = [...(draft.options[field] ?? []), plain(value, rule).trim()];
      else if (picked === "keep") keep(asking, name, rule);
      else rule.values = { ...rule.values, [value]: picked === "blank" ? "" : picked.slice("is:".length) };
    },
  });
}

/** Asks once about a column with more values than can be listed. */
function askMany(asking: Asking, { name, samples }: ColumnProfile, rule: ColumnRule): Ask[] {
  if (asking.target.rows !== null || asking.isGiven) return [];
  const mayKeep = canKeep(asking, name, rule.field);
  return [
    ask("option", `option:${rule.field}`, {
      columns: [name],
      examples: samples.map(cut),
      message: `"${name}" has many values that may not be options of ${rule.field}.`,
      choices: [
        ...(mayKeep ? [choice("keep", "Keep the texts as the lifecycle stage", samples)] : []),
        choice("blank", "Leave values out that are not options", samples),
        choice("fail", "Do not import their rows", samples),
      ],
      default: mayKeep ? "keep" : "blank",
      apply(picked) {
        if (picked === "keep") keep(asking, name, rule);
        if (picked === "blank") rule.unknown = "blank";
      },
    }),
  ];
}

/** Whether statuses that the project does not have can be kept as lifecycle stages. */
const canKeep = ({ draft, target }: Asking, column: string, field: string): boolean =>
  target.rows === null &&
  field === "status" &&
  !/[{}]/.test(column) &&
  draft.set[STAGE] === undefined &&
  ![...draft.rules.values()].some((other) => other.field === STAGE);

function keep({ draft }: Asking, column: string, rule: ColumnRule): void {
  rule.unknown = "blank";
  draft.set[STAGE] = `{${column}}`;
}
