import type { Locale, Words } from "../../../core/locale.ts";
import type { Service } from "../service/service.ts";
import { sendBehind } from "./mail.ts";

const WORDS: Words<(link: string) => { subject: string; text: string }> = {
  en: (link) => ({
    subject: "Set a new password",
    text: `Somebody asked for a new password for your Leadgate account. Set it here, once, within an hour:

  ${link}

If it was not you, nothing has changed, and you need not do anything.
`,
  }),
  "pt-BR": (link) => ({
    subject: "Defina uma nova senha",
    text: `Alguém pediu uma nova senha para a sua conta no Leadgate. Defina-a aqui, uma única vez, em até uma hora:

  ${link}

Se não foi você, nada mudou, e não é preciso fazer nada.
`,
  }),
};

/** Mails the link for setting a new password. */
export const mailReset = (service: Service, mail: { to: string; locale: Locale; link: string }): void =>
  sendBehind(service, { to: mail.to, ...WORDS[mail.locale](mail.link) });
