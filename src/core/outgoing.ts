/** The events by which somebody of ours turned to a lead, where nobody says which ones they mean. */
export const OUTGOING_EVENTS: readonly string[] = [
  "call.made",
  "email.sent",
  "message.sent",
  "sms.sent",
  "whatsapp.sent",
];
