import { createTransport } from "nodemailer";
import type { Config } from "../config/config.ts";
import type { Mailer } from "../domain/operation/service/mailer.ts";
import { report } from "../observe/metrics/report.ts";

/** Signs in at the mail server of `SMTP_URL` and sends nothing; throws what it answered, or if it does not answer within so many milliseconds. */
export async function checkSmtp(url: string, ms: number): Promise<void> {
  const limits = { connectionTimeout: ms, greetingTimeout: ms, socketTimeout: ms, dnsTimeout: ms };
  const transport = createTransport({ url, ...limits });
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** The mailer for `SMTP_URL`; undefined if it is not configured. */
export function mailerOf({ smtpUrl, mailFrom }: Config): Mailer | undefined {
  if (smtpUrl === undefined) return undefined;
  const transport = createTransport(
    // a stalled mail server must not hold resources for long
    { url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 },
    // no text of a mail can attach a file or fetch a URL
    { from: mailFrom, disableFileAccess: true, disableUrlAccess: true },
  );
  return {
    async send({ to, subject, text }) {
      try {
        await transport.sendMail({ to: { name: "", address: to }, subject, text });
      } catch (error) {
        report.mailed("failed");
        throw error;
      }
      report.mailed("sent");
    },
  };
}
