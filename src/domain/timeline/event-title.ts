/** For some event types, the key of the data's value that the title shows. */
const TELLING: Readonly<Record<string, string>> = {
  "email.sent": "subject",
  "email.opened": "subject",
  "email.clicked": "url",
  "email.replied": "subject",
  "email.bounced": "reason",
  "message.received": "subject",
  "message.sent": "subject",
  "call.made": "outcome",
  "call.received": "outcome",
  "call.missed": "from",
  "form.submitted": "form",
  "page.viewed": "url",
  "link.clicked": "url",
  "meeting.booked": "subject",
  "meeting.held": "subject",
  "note.added": "text",
  "task.created": "subject",
  "task.done": "subject",
  "deal.won": "name",
  "deal.lost": "reason",
  "payment.received": "amount",
};

const LONGEST = 120;

/** A readable title for an event that has none: `Email opened: Our offer`. */
export function eventTitle(type: string, data: Readonly<Record<string, unknown>>): string {
  const words = type.replaceAll(/[._]/g, " ");
  const title = words.charAt(0).toUpperCase() + words.slice(1);
  const key = TELLING[type];
  const value = key !== undefined && Object.hasOwn(data, key) ? data[key] : undefined;
  if (typeof value !== "string" && typeof value !== "number") return title;
  const line = [...String(value).replaceAll(/\s+/g, " ").trim()];
  if (line.length === 0) return title;
  return `${title}: ${line.length > LONGEST ? `${line.slice(0, LONGEST).join("")}…` : line.join("")}`;
}
