import { type Locale, preferredLocale, type Words } from "../../../core/locale.ts";
import type { Service } from "../service/service.ts";
import { sendBehind } from "./mail.ts";

const WORDS: Words<(authUrl: string) => { subject: string; text: string }> = {
  en: (authUrl) => ({
    subject: "Your e-mail address is confirmed",
    text: `A new password was set for the Leadgate account with this e-mail address, and the address is now confirmed.
Everything that could sign in to the account or access leads on its behalf before has ended. Review the account here:

  ${authUrl}/account

If this was not you, set a new password immediately:

  ${authUrl}/forgot
`,
  }),
  "pt-BR": (authUrl) => ({
    subject: "Seu endereço de e-mail foi confirmado",
    text: `Uma nova senha foi definida para a conta do Leadgate com este endereço de e-mail, e o endereço agora está confirmado.
Tudo o que antes podia entrar na conta ou acessar leads em nome dela foi encerrado. Confira a conta aqui:

  ${authUrl}/account

Se não foi você, defina uma nova senha imediatamente:

  ${authUrl}/forgot
`,
  }),
};

/** Notifies the owner of an e-mail address, who claimed its account; a `locale` of null follows their browser. */
export function tellOfClaim(service: Service, { to, locale }: { to: string; locale: Locale | null }): void {
  const words = WORDS[locale ?? preferredLocale(service.origin?.languages)];
  sendBehind(service, { to, ...words(service.config.authUrl) });
}
