import { createTransport } from "nodemailer";
import type { Config } from "../config/config.ts";
import type { Mailer } from "../domain/operation/service/mailer.ts";

/** The mail server of `SMTP_URL`; undefined where none is configured. */
export function mailerOf({ smtpUrl, mailFrom }: Config): Mailer | undefined {
  if (smtpUrl === undefined) return undefined;
  const transport = createTransport(
    // a mail server that stalls holds nothing for long
    { url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 },
    // nobody's text decides what is attached or fetched
    { from: mailFrom, disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    async send({ to, subject, text }) {
      await transport.sendMail({ to: { name: "", address: to }, subject, text });
    },
  };
}
