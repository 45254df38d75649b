import type { Locale, Words } from "../../../core/locale.ts";
import type { Service } from "../service/service.ts";
import { sendBehind } from "./mail.ts";

interface Text {
  subject: string;
  text: string;
}

const PROOF: Words<(link: string) => Text> = {
  en: (link) => ({
    subject: "Confirm your new e-mail address",
    text: `Someone wants to use this e-mail address for their Leadgate account. If it was you, open this link, sign in to your account
and confirm. The link works once and expires in an hour:

  ${link}

If this was not you, ignore this e-mail. Nothing changes without your confirmation.
`,
  }),
  "pt-BR": (link) => ({
    subject: "Confirme seu novo e-mail",
    text: `Alguém quer usar este endereço de e-mail em uma conta do Leadgate. Se foi você, abra este link, entre na sua conta
e confirme. O link funciona uma única vez e expira em uma hora:

  ${link}

Se não foi você, ignore este e-mail. Nada muda sem a sua confirmação.
`,
  }),
};

/** What the old address is told. `from` is an IP address; null means the operator's command line. */
interface Changed {
  email: string;
  when: string;
  from: string | null;
  authUrl: string;
}

const CHANGED: Words<(changed: Changed) => Text> = {
  en: ({ email, when, from, authUrl }) => ({
    subject: "The e-mail address of your account was changed",
    text: `Your Leadgate account no longer uses this e-mail address. The new address is:

  ${email}

When: ${when}
From: ${from === null ? "the operator of the service" : `the IP address ${from}`}

If this was you, there is nothing to do. If it was not, someone knows your password or used a browser in which you
are signed in. Ask the operator of this service to change the address back. If you can still sign in, change
your password and sign out of all other browsers immediately:

  ${authUrl}/account
`,
  }),
  "pt-BR": ({ email, when, from, authUrl }) => ({
    subject: "O e-mail da sua conta foi alterado",
    text: `Sua conta no Leadgate não usa mais este endereço de e-mail. O novo endereço é:

  ${email}

Quando: ${when}
De: ${from === null ? "quem opera o serviço" : `o endereço IP ${from}`}

Se foi você, não é preciso fazer nada. Se não foi, alguém sabe a sua senha ou usou um navegador em que você
está conectado. Peça a quem opera este serviço que desfaça a alteração. Se ainda consegue entrar, altere
sua senha e saia de todos os outros navegadores imediatamente:

  ${authUrl}/account
`,
  }),
};

/** Mails the link that proves a new address to it. It names no account and no person, whose texts a stranger chose. */
export const mailNewEmail = (service: Service, mail: { to: string; locale: Locale; link: string }): void =>
  sendBehind(service, { to: mail.to, ...PROOF[mail.locale](mail.link) });

/** Tells the old address of an account that it was changed, unless the address was never proved to be this person's. */
export function tellFormerEmail(
  service: Service,
  changed: {
    former: { email: string; verified: boolean; locale: Locale | null; changedAt: Date };
    email: string;
    locale: Locale;
  },
): void {
  const { former, email } = changed;
  if (!former.verified) return;
  const locale = former.locale ?? changed.locale;
  const format = { dateStyle: "long", timeStyle: "long", timeZone: "UTC" } as const;
  const when = new Intl.DateTimeFormat(locale, format).format(former.changedAt);
  const { authUrl } = service.config;
  const from = service.origin?.address ?? null;
  sendBehind(service, { to: former.email, ...CHANGED[locale]({ email, when, from, authUrl }) });
}
