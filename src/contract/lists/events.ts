/** Events that only the service records. */
const OF_LEADS = [
  ...(["lead.created", "lead.updated", "lead.deleted"] as const),
  ...(["lead.restored", "lead.merged", "lead.unmerged"] as const),
] as const;

const USUAL = [
  ...(["email.sent", "email.opened", "email.clicked", "email.replied", "email.bounced"] as const),
  ...(["message.received", "message.sent", "call.made", "call.received", "call.missed"] as const),
  ...(["form.submitted", "page.viewed", "link.clicked", "meeting.booked", "meeting.held"] as const),
  ...(["note.added", "task.created", "task.done", "deal.won", "deal.lost", "payment.received"] as const),
  ...(["consent.given", "consent.withdrawn"] as const),
] as const;

/** The well-known types of events; callers may write any other. */
export const EVENT_TYPES = [...OF_LEADS, ...USUAL] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A type of event that callers write: noun.verb. */
export const EVENT_TYPE = /^[a-z][a-z0-9_]{0,39}\.[a-z][a-z0-9_]{0,39}$/;
