import type { Locale, Words } from "../../../core/locale.ts";
import type { LogEntry } from "../../../domain/usage/read-log.ts";
import { momentIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";
import { ACTIONS, DETAILS, REASONS } from "./words.ts";

const WORDS: Words<
  {
    kept(days: number): string;
    again(times: number, number: string): string;
  } & Record<
    | "title"
    | "own"
    | "ofProject"
    | "empty"
    | "older"
    | "newest"
    | "export"
    | "service"
    | "concerns"
    | "account"
    | "last"
    | "from",
    string
  >
> = {
  en: {
    title: "Audit log",
    own: "Activity in your account: sign-ins, and the access of applications.",
    ofProject: "Who gained or lost access to this project, and who changed it. Only owners can see this.",
    empty: "Nothing has been recorded yet.",
    older: "Older",
    newest: "Newest",
    export: "Download the whole log:",
    service: "the service",
    concerns: "concerns",
    account: "Account",
    kept: (days) => (days === 1 ? "Entries are kept for one day." : `Entries are kept for ${days} days.`),
    again: (times, number) => (times === 1 ? "and once more" : `and ${number} times more`),
    last: "last at",
    from: "from",
  },
  "pt-BR": {
    title: "Registro de auditoria",
    own: "Atividade da sua conta: entradas e acessos de aplicativos.",
    ofProject:
      "Quem ganhou ou perdeu acesso a este projeto e quem o alterou. Só proprietários veem esta página.",
    empty: "Nada foi registrado ainda.",
    older: "Mais antigos",
    newest: "Mais recentes",
    export: "Baixar o registro completo:",
    service: "o serviço",
    concerns: "sobre",
    account: "Conta",
    kept: (days) =>
      days === 1 ? "Os registros são guardados por um dia." : `Os registros são guardados por ${days} dias.`,
    again: (times, number) => (times === 1 ? "e mais uma vez" : `e mais ${number} vezes`),
    last: "a última em",
    from: "de",
  },
};

/** Returns a page of the log as a table, with links to older entries and to the files. */
export function logBody(content: {
  locale: Locale;
  entries: readonly LogEntry[];
  here: string;
  older: string | undefined;
  projectId: string | undefined;
  auditDays: number | undefined;
}): { title: string; body: Html } {
  const { locale, entries, here, older, projectId, auditDays } = content;
  const words = WORDS[locale];
  const crumbs =
    projectId === undefined && html`<nav class="crumbs"><a href="/account">${words.account}</a></nav>`;
  const list = html`<ol class="list">${entries.map((entry) => item(locale, entry))}</ol>
<p class="pages"><a href="${here}">${words.newest}</a>${older !== undefined && html` <a href="${older}" rel="next">${words.older}</a>`}</p>`;
  const body = html`${crumbs}
<h1>${words.title}</h1>
<p>${projectId === undefined ? words.own : words.ofProject}${auditDays !== undefined && ` ${words.kept(auditDays)}`}</p>
${entries.length === 0 ? html`<p class="quiet">${words.empty}</p>` : list}
<p>${words.export} <a href="${here}.csv" download>CSV</a> · <a href="${here}.ndjson" download>NDJSON</a></p>`;
  return { title: words.title, body };
}

function item(locale: Locale, entry: LogEntry): Html {
  const words = WORDS[locale];
  const what = ACTIONS[locale][entry.action] ?? entry.action;
  const about =
    entry.personName !== null && entry.personId !== entry.actor
      ? html` · ${words.concerns} <bdi>${entry.personName}</bdi>`
      : "";
  const from = [entry.address, entry.requestId].filter((each) => each !== null).join(" · ");
  const details = Object.entries(entry.data).map(
    ([name, value]) =>
      html`<small>${DETAILS[locale][name] ?? name}: <bdi>${shortly(name === "why" ? (REASONS[locale][String(value)] ?? value) : value)}</bdi></small>`,
  );
  return html`<li><span><strong>${what}</strong>
<small><bdi>${entry.actorName ?? entry.actor ?? words.service}</bdi>${about}</small>${details}
${from !== "" && html`<small>${from}</small>`}${entry.repeated > 0 && html`<small>${repeats(locale, entry)}</small>`}</span>
<time class="quiet" datetime="${entry.at.toISOString()}">${momentIn(locale, entry.at)}</time></li>`;
}

/** Returns how often the same happened again, and when and from where last. */
function repeats(locale: Locale, { repeated, repeatedAt, repeatedFrom }: LogEntry): string {
  const words = WORDS[locale];
  const number = repeated.toLocaleString(locale);
  return [
    words.again(repeated, number),
    repeatedAt !== null && `${words.last} ${momentIn(locale, repeatedAt)}`,
    repeatedFrom !== null && `${words.from} ${repeatedFrom}`,
  ]
    .filter((part) => part !== false)
    .join(", ");
}

const shortly = (value: unknown): string => {
  const text = textOf(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
};

function textOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.join(", ");
  if (typeof value !== "object" || value === null || !("from" in value && "to" in value))
    return JSON.stringify(value);
  return [value.from, value.to].map((each) => (each === null ? "–" : textOf(each))).join(" → ");
}
