/** The events in which a member contacted a lead; the default wherever such events are not named. */
export const OUTGOING_EVENTS: readonly string[] = [
  "call.made",
  "email.sent",
  "message.sent",
  "sms.sent",
  "whatsapp.sent",
];
