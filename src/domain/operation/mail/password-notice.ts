import type { Words } from "../../../core/locale.ts";
import type { Service } from "../service/service.ts";
import { mailTo } from "./notices.ts";

const WORDS: Words<(authUrl: string) => { subject: string; text: string }> = {
  en: (authUrl) => ({
    subject: "Your password was changed",
    text: `The password of your Leadgate account was changed, and every browser was signed out.
Applications that you let in keep their access. Look through them here:

  ${authUrl}/connected-apps

If it was not you, set a new password at once:

  ${authUrl}/forgot
`,
  }),
  "pt-BR": (authUrl) => ({
    subject: "Sua senha foi alterada",
    text: `A senha da sua conta no Leadgate foi alterada, e todos os navegadores foram desconectados.
Os aplicativos que você autorizou mantêm o acesso. Confira-os aqui:

  ${authUrl}/connected-apps

Se não foi você, defina uma nova senha imediatamente:

  ${authUrl}/forgot
`,
  }),
};

/** Tells a person that their password is another one now. */
export function tellOfPassword(service: Service, personId: string): void {
  if (service.mailer === undefined) return;
  mailTo(service, personId, (locale) => WORDS[locale](service.config.authUrl)).catch((error: unknown) =>
    service.log.warn({ err: error }, "a notice was not sent"),
  );
}
