import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../../../core/refusal.ts";
import type { Mail } from "../service/mailer.ts";
import type { Service } from "../service/service.ts";

/** A name as one line of a mail: line breaks and invisible characters become spaces. */
export const plainLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();

const PAUSES_MS = [1_000, 10_000];

/**
 * Sends a mail after the response, with two retries; without SMTP it sends nothing. Mails are not stored, because
 * the links that they contain must not be in the database.
 */
export function sendBehind(service: Service, mail: Mail): void {
  const { mailer } = service;
  if (mailer === undefined) return;
  const tryAll = async () => {
    for (const pause of PAUSES_MS) {
      try {
        return await mailer.send(mail);
      } catch (error) {
        service.log.warn({ err: error }, "a mail was not accepted; it will be retried");
        await sleep(pause, undefined, { ref: false });
      }
    }
    await mailer.send(mail);
  };
  tryAll().catch((error: unknown) => service.log.error({ err: error }, "a mail could not be sent"));
}

/** Sends a mail once and waits until the mail server has accepted it; `mail_refused` otherwise. For the command line. */
export async function sendNow({ mailer }: Service, mail: Mail): Promise<void> {
  await mailer?.send(mail).catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Refusal(
      "unavailable",
      "mail_refused",
      `The mail server did not accept the mail to ${mail.to}: ${reason}. Check SMTP_URL and run the command again.`,
    );
  });
}
