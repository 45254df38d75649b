import type { Locale, Words } from "../../../core/locale.ts";
import type { Service } from "../service/service.ts";
import { sendBehind } from "./mail.ts";

const WORDS: Words<(link: string) => { subject: string; text: string }> = {
  en: (link) => ({
    subject: "Set a new password",
    text: `Someone requested a new password for your Leadgate account. Set it with this link, which works once and expires in an hour:

  ${link}

If this was not you, nothing has changed and you do not need to do anything.
`,
  }),
  "pt-BR": (link) => ({
    subject: "Defina uma nova senha",
    text: `Alguém pediu uma nova senha para a sua conta no Leadgate. Defina-a neste link, que funciona uma única vez e expira em uma hora:

  ${link}

Se não foi você, nada mudou e não é preciso fazer nada.
`,
  }),
};

/** Mails the link for setting a new password. */
export const mailReset = (service: Service, mail: { to: string; locale: Locale; link: string }): void =>
  sendBehind(service, { to: mail.to, ...WORDS[mail.locale](mail.link) });
