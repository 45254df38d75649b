import type { Locale } from "../../../core/locale.ts";
import type { OpenedApproval } from "../../../domain/approvals/open-approval.ts";
import type { Preview, PreviewRecord } from "../../../domain/approvals/preview.ts";
import { LABELS } from "../../../domain/fields/field-label.ts";
import { momentIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { APPROVAL_WORDS } from "./words.ts";

type Labels = OpenedApproval["labels"];

/** Returns what would change: records with their fields, before and after. */
export function diffTable(locale: Locale, { labels }: OpenedApproval, preview: Preview): Html {
  const words = APPROVAL_WORDS[locale];
  const { records, total, complete, in_background: job, failures } = preview;
  const numbers = [records.length, total].map((count) => count.toLocaleString(locale)) as [string, string];
  const part =
    records.length < total &&
    html`<p class="quiet">${complete ? words.shown(...numbers) : words.sample(...numbers)}</p>`;
  return html`<table class="diff">
<thead><tr><th scope="col">${words.record}</th><th scope="col">${words.field}</th><th scope="col">${words.before}</th><th scope="col">${words.after}</th></tr></thead>
${records.map((record) => body(locale, labels, record))}</table>
${part}
${job && html`<p class="quiet">${words.job}</p>`}
${
  failures.length > 0 &&
  html`<div class="notice">${words.fails(failures.length)}
<ul>${failures.map((failure) => html`<li><bdi>${failureText(locale, failure)}</bdi></li>`)}</ul></div>`
}`;
}

/** Returns why an entry would be left out, which is counted from one. */
function failureText(locale: Locale, { path, message }: Preview["failures"][number]): string {
  const text = message.startsWith(path) ? message : `${path}: ${message}`;
  return text.replace(
    /\$\.(items|events)\[(\d+)\]/g,
    (_, __, index) => `${APPROVAL_WORDS[locale].entry} ${Number(index) + 1}`,
  );
}

/** Returns the rows of a record, with its name at the first. */
function body(locale: Locale, labels: Labels, record: PreviewRecord): Html {
  const words = APPROVAL_WORDS[locale];
  const lines = [
    ...record.changes.map((change) => changeLine(locale, labels, change)),
    ...record.events.map((event) => eventLine(locale, event)),
    ...(record.kept.length > 0 ? [keptLine(locale, labels, record.kept)] : []),
  ];
  const [first = html`<td colspan="3" class="nothing"></td>`, ...others] = lines;
  const outcome = words.outcomes[record.outcome];
  const kind = words.kinds[record.kind];
  const head = html`<th scope="rowgroup" rowspan="${Math.max(1, lines.length)}"><bdi>${record.name ?? words.unnamed}</bdi>
${kind !== undefined && html`<small>${kind}</small>`}${outcome !== undefined && html`<small><span class="tag ${record.outcome}">${outcome}</span></small>`}</th>`;
  return html`<tbody><tr>${head}${first}</tr>${others.map((line) => html`<tr>${line}</tr>`)}</tbody>
`;
}

function changeLine(locale: Locale, labels: Labels, change: PreviewRecord["changes"][number]): Html {
  const words = APPROVAL_WORDS[locale];
  const value = (of: "from" | "to") => (of in change ? shown(locale, change[of]) : "");
  return html`<td class="field">${fieldLabel(locale, labels, change.field)}</td>
<td data-label="${words.before}">${value("from")}</td><td data-label="${words.after}">${value("to")}</td>`;
}

function eventLine(
  locale: Locale,
  { type, title, occurred_at: at, data }: PreviewRecord["events"][number],
): Html {
  const words = APPROVAL_WORDS[locale];
  const details = Object.entries((data ?? {}) as Record<string, unknown>).map(
    ([key, value]) => html`<div>${key}: ${shown(locale, value)}</div>`,
  );
  return html`<td class="field">${words.event}<small>${type}</small></td>
<td data-label="${words.before}">${shown(locale, null)}</td>
<td data-label="${words.after}"><bdi>${title}</bdi><small>${momentIn(locale, new Date(at))}</small>${details}</td>`;
}

function keptLine(locale: Locale, labels: Labels, kept: readonly string[]): Html {
  const words = APPROVAL_WORDS[locale];
  const fields = kept.map((field) => (field === "*" ? words.all : fieldLabel(locale, labels, field)));
  return html`<td colspan="3"><bdi>${words.kept(fields.join(", "))}</bdi></td>`;
}

function fieldLabel(locale: Locale, labels: Labels, field: string): string {
  const key = field.replace(/^custom\./, "");
  return field === key ? (LABELS[locale][field] ?? field) : (labels[key] ?? key);
}

const LONGEST = 1_000;

/** Returns a value as text, which people see even if it is empty. */
function shown(locale: Locale, value: unknown): Html {
  const words = APPROVAL_WORDS[locale];
  if (value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0))
    return html`<span class="quiet">${words.empty}</span>`;
  const text =
    typeof value === "boolean"
      ? value
        ? words.yes
        : words.no
      : Array.isArray(value)
        ? value.map((each) => (typeof each === "string" ? each : JSON.stringify(each))).join(", ")
        : typeof value === "object"
          ? JSON.stringify(value)
          : String(value);
  return html`<bdi>${text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text}</bdi>`;
}
