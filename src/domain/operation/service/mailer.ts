/** A plain text message to one person. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

/** Sends mails, if SMTP is configured. */
export interface Mailer {
  send(mail: Mail): Promise<void>;
}
