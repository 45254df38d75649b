import type { Locale, Words } from "../../../core/locale.ts";
import type { Mail } from "../service/mailer.ts";
import { plainName } from "./plain-name.ts";

/** What the mail says. Names are users' own text, so each stands alone on a line. */
interface About {
  projectName: string;
  inviter: string | null;
  link: string;
}

const WORDS: Words<(about: About) => { subject: string; text: string }> = {
  en: ({ projectName, inviter, link }) => ({
    subject: "You have been invited to a project on Leadgate",
    text: `You have been invited to this project:

  ${projectName}
${inviter === null ? "" : `\nby\n\n  ${inviter}\n`}
Accept with this link, which works once and expires in seven days:

  ${link}

If you did not expect this invitation, you can ignore this e-mail.
`,
  }),
  "pt-BR": ({ projectName, inviter, link }) => ({
    subject: "Você foi convidado para um projeto no Leadgate",
    text: `Você foi convidado para este projeto:

  ${projectName}
${inviter === null ? "" : `\npor\n\n  ${inviter}\n`}
Aceite neste link, que funciona uma única vez e expira em sete dias:

  ${link}

Se você não esperava este convite, ignore este e-mail.
`,
  }),
};

/** Returns the mail of an invitation. */
export function invitationMail(mail: About & { to: string; locale: Locale }): Mail {
  const { to, locale, link } = mail;
  const inviter = mail.inviter === null ? null : plainName(mail.inviter);
  return { to, ...WORDS[locale]({ projectName: plainName(mail.projectName), inviter, link }) };
}
