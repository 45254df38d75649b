import { setTimeout as sleep } from "node:timers/promises";
import { Refusal } from "../../../core/refusal.ts";
import { during, KIND } from "../../../observe/trace/span.ts";
import type { Mail } from "../service/mailer.ts";
import type { Service } from "../service/service.ts";

const PAUSES_MS = [1_000, 10_000];

/** What is being written or sent now. */
const underway = new Set<Promise<void>>();

/** Does what belongs to a mail after the response; an error is only logged. Without SMTP it does nothing. */
export function behind(service: Service, work: () => Promise<void>): void {
  if (service.mailer === undefined) return;
  const done = work()
    .catch((error: unknown) => service.log.error({ err: error }, "a mail could not be sent"))
    .finally(() => underway.delete(done));
  underway.add(done);
}

/** Resolves when no mail is underway any more, sent or not; the command line waits for this before it exits. */
export async function mailsSettled(): Promise<void> {
  const awake = setInterval(() => undefined, 60_000);
  while (underway.size > 0) await Promise.all(underway);
  clearInterval(awake);
}

/**
 * Sends a mail after the response, with two retries; without SMTP it sends nothing. Mails are not stored, because
 * the links that they contain must not be in the database.
 */
export const sendBehind = (service: Service, mail: Mail): void => behind(service, () => send(service, mail));

/** Sends a mail, with two retries. */
export async function send(service: Service, mail: Mail): Promise<void> {
  const { log } = service;
  for (const pause of PAUSES_MS) {
    try {
      return await deliver(service, mail);
    } catch (error) {
      log.warn({ err: error }, "a mail was not accepted; it will be retried");
      await sleep(pause, undefined, { ref: false });
    }
  }
  await deliver(service, mail);
}

/** Hands a mail to the mail server, whose time is a span of the request's trace. */
const deliver = async ({ mailer, trace }: Service, mail: Mail): Promise<void> =>
  await during(trace?.start("send mail", KIND.client), mailer?.send(mail) ?? Promise.resolve());

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
