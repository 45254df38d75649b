import type { Locale, Words } from "../../../core/locale.ts";
import type { Scope, Writes } from "../../../core/permission.ts";
import { isDocumentAddress } from "../../../domain/clients/document-address.ts";
import { placeOfRedirect } from "../../../domain/clients/redirect-uri.ts";
import { dayIn } from "../../../http/request/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";

interface ConnectionWords {
  returns: string;
  knownBy: string;
  reads: string;
  writes: string;
  onlyWrites: string;
  asks: string;
  ask: string;
  free: string;
  since(day: string): string;
  unused: string;
  used(day: string): string;
}

const WORDS: Words<ConnectionWords> = {
  en: {
    returns: "returns to",
    knownBy: "identified by its page at",
    reads: "Can read.",
    writes: "Can read, create, edit and delete.",
    onlyWrites: "Can create, edit and delete.",
    asks: "Asks before each change.",
    ask: "Ask me before each change",
    free: "Let it change things without asking",
    since: (day) => `Since ${day}`,
    unused: "not used yet",
    used: (day) => `last used ${day}`,
  },
  "pt-BR": {
    returns: "volta a",
    knownBy: "identificado pela página em",
    reads: "Pode ler.",
    writes: "Pode ler, criar, editar e excluir.",
    onlyWrites: "Pode criar, editar e excluir.",
    asks: "Pergunta antes de cada alteração.",
    ask: "Perguntar antes de cada alteração",
    free: "Deixar alterar sem perguntar",
    since: (day) => `Desde ${day}`,
    unused: "ainda não usado",
    used: (day) => `usado pela última vez em ${day}`,
  },
};

/** Returns what distinguishes applications of the same name: the host of the document and of the redirect URIs. */
export function whence(
  { clientId, redirectUris }: { clientId: string; redirectUris: readonly string[] | null },
  locale: Locale,
): Html | false {
  const words = WORDS[locale];
  const places = [...new Set((redirectUris ?? []).map(placeOfRedirect))];
  const parts = [
    isDocumentAddress(clientId) && html`${words.knownBy} <bdi>${new URL(clientId).host}</bdi>`,
    places.length > 0 && html`${words.returns} ${joined(places.map((place) => html`<bdi>${place}</bdi>`))}`,
  ].filter((part) => part !== false);
  return parts.length > 0 && html`${joined(parts)}`;
}

const joined = (parts: readonly Html[]): Html[] =>
  parts.map((part, at) => (at === 0 ? part : html`, ${part}`));

/** What a person lets an application do. */
interface Granted {
  scopes: readonly Scope[];
  writes: Writes;
}

/** Returns what an application may do, as one or two sentences. */
export function may({ scopes, writes }: Granted, locale: Locale): string {
  const words = WORDS[locale];
  if (!scopes.includes("mcp:write")) return words.reads;
  const does = scopes.includes("mcp:read") ? words.writes : words.onlyWrites;
  return writes === "propose" ? `${does} ${words.asks}` : does;
}

/**
 * Returns the form by which the person who connected an application decides whether it asks before each change;
 * nothing for one that only reads. `fields` say which connection it is.
 */
export function askForm(
  { scopes, writes }: Granted,
  {
    action,
    fields,
    describedBy,
    locale,
  }: { action: string; fields: Html; describedBy: string; locale: Locale },
): Html | false {
  const words = WORDS[locale];
  const [next, text] =
    writes === "write" ? (["propose", words.ask] as const) : (["write", words.free] as const);
  return (
    scopes.includes("mcp:write") &&
    html`<form method="post" action="${action}">
${fields}
<input type="hidden" name="writes" value="${next}">
<button aria-describedby="${describedBy}">${text}</button>
</form>`
  );
}

/** Returns since when an application is connected and when it was last used, by day. */
export function usedWhen(
  { createdAt, lastUsedAt }: { createdAt: Date; lastUsedAt: Date | null },
  locale: Locale,
  timeZone?: string,
): string {
  const words = WORDS[locale];
  const used = lastUsedAt === null ? words.unused : words.used(dayIn(locale, lastUsedAt, timeZone));
  return `${words.since(dayIn(locale, createdAt, timeZone))}, ${used}`;
}
