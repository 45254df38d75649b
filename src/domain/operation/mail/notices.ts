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
    subject: "Access of an application was ended for safety",
    text: `A used-up refresh token of this application was shown again:

  ${clientName}

Either the application made a mistake, or somebody has a copy of its tokens. To be safe, this access was
ended. If you still use the application, connect it again. What has access through you:

  ${where}
`,
  }),
  "pt-BR": ({ clientName, where }) => ({
    subject: "O acesso de um aplicativo foi encerrado por segurança",
    text: `Um token de atualização já usado deste aplicativo foi apresentado de novo:

  ${clientName}

Ou o aplicativo se enganou, ou alguém tem uma cópia dos tokens dele. Por segurança, este acesso foi
encerrado. Se você ainda usa o aplicativo, conecte-o de novo. O que tem acesso por meio de você:

  ${where}
`,
  }),
};

const CONNECTED: Words<(about: About) => Notice> = {
  en: ({ clientName, where }) => ({
    subject: "A new application has access through you",
    text: `You gave this application access to leads:

  ${clientName}

If it was not you, end its access here, and change your password:

  ${where}
`,
  }),
  "pt-BR": ({ clientName, where }) => ({
    subject: "Um novo aplicativo tem acesso por meio de você",
    text: `Você deu a este aplicativo acesso a leads:

  ${clientName}

Se não foi você, encerre o acesso aqui e troque sua senha:

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

/** Notifies a person that their password was changed. */
export function tellOfPassword(service: Service, personId: string): void {
  if (service.mailer === undefined) return;
  mailTo(service, personId, (locale) => WORDS[locale](service.config.authUrl)).catch((error: unknown) =>
    service.log.warn({ err: error }, "a notice was not sent"),
  );
}
