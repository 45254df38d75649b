import { setTimeout as sleep } from "node:timers/promises";
import type { Mail } from "../service/mailer.ts";
import type { Service } from "../service/service.ts";

/** A name as a line of a mail: whatever would start another line or hide in it is a space. */
export const plainLine = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, " ").trim();

const PAUSES_MS = [1_000, 10_000];

/**
 * Sends a mail behind the answer, with two more tries when the mail server does not take it. Without SMTP
 * nothing is sent. Nothing is stored: mails carry links that must not lie in the database.
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
