import type { EventType } from "../../../src/contract/lists/events.ts";
import type { Locale, Named } from "./use-words.ts";

/** The Portuguese names of event types. The API's own titles are English, with details after a colon. */
const PORTUGUESE: Named<EventType> = {
  "lead.created": "Lead criado",
  "lead.updated": "Lead alterado",
  "lead.deleted": "Lead excluído",
  "lead.restored": "Lead restaurado",
  "lead.merged": "Lead mesclado",
  "lead.unmerged": "Mesclagem desfeita",
  "email.sent": "E-mail enviado",
  "email.opened": "E-mail aberto",
  "email.clicked": "E-mail clicado",
  "email.replied": "E-mail respondido",
  "email.bounced": "E-mail devolvido",
  "message.received": "Mensagem recebida",
  "message.sent": "Mensagem enviada",
  "call.made": "Ligação feita",
  "call.received": "Ligação recebida",
  "call.missed": "Ligação perdida",
  "form.submitted": "Formulário enviado",
  "page.viewed": "Página visitada",
  "link.clicked": "Link clicado",
  "meeting.booked": "Reunião marcada",
  "meeting.held": "Reunião realizada",
  "note.added": "Nota adicionada",
  "task.created": "Tarefa criada",
  "task.done": "Tarefa concluída",
  "deal.won": "Negócio ganho",
  "deal.lost": "Negócio perdido",
  "payment.received": "Pagamento recebido",
  "consent.given": "Consentimento dado",
  "consent.withdrawn": "Consentimento retirado",
};

/** Returns the name of an event type: ours in the person's language, other types as readable words. */
export function eventTypeName(locale: Locale, type: string): string {
  const words = type.replaceAll(/[._]/g, " ");
  const name = locale === "pt-BR" ? PORTUGUESE[type] : undefined;
  return name ?? words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * Returns an event's title: as given, or, if the service created it (`Email opened: Our offer`), in the
 * person's language.
 */
export function eventTitle(locale: Locale, event: { type: string; title: string | null }): string {
  const made = eventTypeName("en", event.type);
  const { title } = event;
  if (title === null || title === made) return eventTypeName(locale, event.type);
  return title.startsWith(`${made}: `)
    ? `${eventTypeName(locale, event.type)}: ${title.slice(made.length + 2)}`
    : title;
}
