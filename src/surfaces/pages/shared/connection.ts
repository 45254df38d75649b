import type { Locale, Words } from "../../../core/locale.ts";
import type { Scope } from "../../../core/permission.ts";
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

/** Returns what an application with these scopes may do, as a sentence. */
export function may(scopes: readonly Scope[], locale: Locale): string {
  const words = WORDS[locale];
  if (!scopes.includes("mcp:write")) return words.reads;
  return scopes.includes("mcp:read") ? words.writes : words.onlyWrites;
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
