import type { Locale, Words } from "../../../core/locale.ts";
import type { Mail } from "../service/mailer.ts";
import type { Service } from "../service/service.ts";
import { sendBehind } from "./mail.ts";

interface Notice {
  subject: string;
  text: string;
}

/** What a mail says about an application. Its name is its own text, so it stands alone on a line. */
interface About {
  clientName: string;
  where: string;
}

const REPLAY: Words<(about: About) => Notice> = {
  en: ({ clientName, where }) => ({
    subject: "An application's access was revoked for your security",
    text: `A refresh token of this application was used a second time:

  ${clientName}

Either the application made a mistake, or someone has a copy of its tokens. For your security, this access was
revoked. If you still use the application, connect it again. Applications with access to your account:

  ${where}
`,
  }),
  "pt-BR": ({ clientName, where }) => ({
    subject: "O acesso de um aplicativo foi revogado por segurança",
    text: `Um token de atualização deste aplicativo foi usado uma segunda vez:

  ${clientName}

Ou o aplicativo cometeu um erro, ou alguém tem uma cópia dos tokens dele. Por segurança, este acesso foi
revogado. Se você ainda usa o aplicativo, conecte-o de novo. Aplicativos com acesso à sua conta:

  ${where}
`,
  }),
};

const CONNECTED: Words<(about: About) => Notice> = {
  en: ({ clientName, where }) => ({
    subject: "You gave a new application access",
    text: `You gave this application access to leads:

  ${clientName}

If this was not you, revoke its access here and change your password:

  ${where}
`,
  }),
  "pt-BR": ({ clientName, where }) => ({
    subject: "Você deu acesso a um novo aplicativo",
    text: `Você deu a este aplicativo acesso a leads:

  ${clientName}

Se não foi você, revogue o acesso aqui e altere sua senha:

  ${where}
`,
  }),
};

/** Notifies a person that an authorization ended because its refresh token was replayed. */
export const tellOfReplay = (service: Service, to: { personId: string; clientName: string }): void =>
  tell(service, REPLAY, to);

/** Notifies a person that an application got access that it did not have before. */
export const tellOfNewApplication = (service: Service, to: { personId: string; clientName: string }): void =>
  tell(service, CONNECTED, to);

function tell(
  service: Service,
  words: Words<(about: About) => Notice>,
  { personId, clientName }: { personId: string; clientName: string },
): void {
  if (service.mailer === undefined) return;
  const where = `${service.config.authUrl}/connected-apps`;
  mailTo(service, personId, (locale) => words[locale]({ clientName, where })).catch((error: unknown) =>
    service.log.warn({ err: error }, "a notice was not sent"),
  );
}

/** Mails a person in their language, by default English. */
async function mailTo(service: Service, personId: string, notice: (locale: Locale) => Notice): Promise<void> {
  const [person] = await service.db.query<{ email: string; locale: Locale | null }>(
    "SELECT email, locale FROM person WHERE id = $1",
    [personId],
  );
  if (person === undefined) return;
  const mail: Mail = { to: person.email, ...notice(person.locale ?? "en") };
  sendBehind(service, mail);
}

const WORDS: Words<(authUrl: string) => { subject: string; text: string }> = {
  en: (authUrl) => ({
    subject: "Your password was changed",
    text: `The password of your Leadgate account was changed, and every browser was signed out.
Applications that you connected keep their access. Review them here:

  ${authUrl}/connected-apps

If this was not you, set a new password immediately:

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

/** Notifies a person that their password was changed. */
export function tellOfPassword(service: Service, personId: string): void {
  if (service.mailer === undefined) return;
  mailTo(service, personId, (locale) => WORDS[locale](service.config.authUrl)).catch((error: unknown) =>
    service.log.warn({ err: error }, "a notice was not sent"),
  );
}
