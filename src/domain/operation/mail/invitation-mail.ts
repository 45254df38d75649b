import type { Locale, Words } from "../../../core/locale.ts";
import type { Service } from "../service/service.ts";
import { plainLine, sendBehind } from "./mail.ts";

/** What the mail says. Names are users' own text, so each stands alone on a line. */
interface About {
  projectName: string;
  inviter: string | null;
  link: string;
}

const WORDS: Words<(about: About) => { subject: string; text: string }> = {
  en: ({ projectName, inviter, link }) => ({
    subject: "You are invited to a project on Leadgate",
    text: `You are invited to this project:

  ${projectName}
${inviter === null ? "" : `\nby\n\n  ${inviter}\n`}
Accept here, once, within seven days:

  ${link}

If you do not know what this is about, leave it alone: nothing happens.
`,
  }),
  "pt-BR": ({ projectName, inviter, link }) => ({
    subject: "Você foi convidado para um projeto no Leadgate",
    text: `Você foi convidado para este projeto:

  ${projectName}
${inviter === null ? "" : `\npor\n\n  ${inviter}\n`}
Aceite aqui, uma única vez, em até sete dias:

  ${link}

Se você não sabe do que se trata, ignore esta mensagem: nada acontece.
`,
  }),
};

/** Mails an invitation if SMTP is configured. */
export function mailInvitation(service: Service, mail: About & { to: string; locale: Locale }): void {
  const { to, locale, link } = mail;
  const inviter = mail.inviter === null ? null : plainLine(mail.inviter);
  sendBehind(service, { to, ...WORDS[locale]({ projectName: plainLine(mail.projectName), inviter, link }) });
}
