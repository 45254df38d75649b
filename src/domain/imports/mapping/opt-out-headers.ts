import { plainWord } from "../../../contract/lists/opt-outs.ts";

/** What yes and no mean below a header. */
export type OptOutHeaderKind =
  /** Yes: the person opted out. */
  | "out"
  /** Yes: nobody may contact the person, who need not have said so. */
  | "contact"
  /** No: the person opted out. */
  | "subscribed"
  /** No: the person did not agree, which is no opt-out. */
  | "permission"
  /** The date on which the person opted out. */
  | "date";

/** Headers about calls; they say nothing of e-mails. */
const CALLS = [
  ...["Do not call", "Do not allow phone calls", "Do not phone", "Do not call flag"],
  ...["Não ligar", "Não telefonar", "No llamar", "Nicht anrufen", "Keine Anrufe", "Ne pas appeler"],
  ...["Ne pas téléphoner", "Non chiamare", "Niet bellen", "Nie dzwonić", "Не звонить", "電話不可"],
  ...["电话勿扰", "请勿致电", "勿打电话", "請勿致電", "Aramayın"],
];

/** Headers of columns that tell who opted out. */
export const OPT_OUT_HEADERS: Readonly<Record<OptOutHeaderKind, readonly string[]>> = {
  out: [
    ...["Unsubscribed from all email", "Unsubscribed from all emails", "Unsubscribed", "Is unsubscribed"],
    ...["Is unsub", "Unsub", "Unsubscribe", "Globally unsubscribed", "Email unsubscribed"],
    ...["Unsubscribed from email", "Email opt out", "Email opted out", "Opt out", "Opted out"],
    ...["Opt out of email", "Opted out of email", "Has opted out of email", "hs_email_optout"],
    ...["Opt out email", "Marketing opt out", "SMS opt out", "Email opt out flag"],
    ...["Opted out of all email", "Opted out of marketing", "Opted out of email: One to One"],
    ...["Opted out of email: Marketing Information", "Opted out of email: Customer Service Communication"],
    // Portuguese, Spanish, French, Italian
    ...["Descadastrado", "Descadastrada", "Desinscrito", "Cancelou inscrição", "Opt-out de e-mail"],
    ...["Dado de baja", "Dada de baja", "Desuscrito", "Desuscrita", "Baja de correo"],
    ...["Désabonné", "Désabonnée", "Désinscrit", "Désinscrite"],
    ...["Disiscritto", "Disiscritta", "Cancellato dalla newsletter"],
    // German, Dutch, Polish, Turkish
    ...["Abgemeldet", "Vom Newsletter abgemeldet", "Vom Newsletter abbestellt", "Uitgeschreven", "Afgemeld"],
    ...["Wypisany", "Wypisana", "Wypisano", "Wypisany z newslettera", "Abonelikten çıktı"],
    // Russian, Japanese, Chinese
    ...["Отписан", "Отписана", "Отписался", "Отписка", "Отписан от рассылки", "配信停止", "配信停止済み"],
    ...["メール配信停止", "購読解除", "購読停止", "オプトアウト", "已退订", "退订", "取消订阅", "已取消订阅"],
    ...["已退訂", "退訂", "取消訂閱", "已取消訂閱"],
  ],
  contact: [
    ...CALLS,
    ...["Do not contact", "DNC", "Do not email", "Do not mail", "Do not e-mail", "Do not SMS"],
    ...["Do not allow emails", "Do not allow bulk emails", "Do not bulk email", "Do not disturb"],
    ...["Is excluded from campaigns", "Blocklisted", "Blacklisted", "Email blocklisted"],
    ...["Email blacklisted", "Blocklist", "Blacklist", "SMS blocklisted", "SMS blacklisted", "Suppressed"],
    ...["Email suppressed"],
    // Mailchimp: when an address bounced for good.
    ...["CLEAN_TIME"],
    // Portuguese, Spanish, French, Italian
    ...["Não contatar", "Não contactar", "Não perturbe", "Não enviar e-mail", "No contactar"],
    ...["No molestar", "No enviar correos", "Ne pas contacter", "Ne pas envoyer d'e-mail", "Ne pas déranger"],
    ...["Non contattare", "Non disturbare", "Non inviare email"],
    // German, Dutch, Polish, Turkish
    ...["Nicht kontaktieren", "Kein Kontakt", "Keine Kontaktaufnahme", "Kontaktsperre", "Werbesperre"],
    ...["Keine Werbung", "Keine E-Mails", "Niet contacteren", "Niet benaderen", "Niet mailen"],
    ...["Nie kontaktować", "Nie kontaktować się", "İletişime geçmeyin"],
    // Russian, Japanese, Chinese
    ...["Не связываться", "Не беспокоить", "Не писать", "Чёрный список", "連絡不可", "連絡禁止"],
    ...["メール不可"],
    ...["送信禁止", "请勿联系", "勿联系", "免打扰", "請勿聯絡", "勿擾", "黑名单", "黑名單"],
  ],
  subscribed: [
    ...["Subscribed", "Is subscribed", "Email subscribed", "Subscribed to email", "Subscribed to emails"],
    ...["Subscription status", "Subscriber status", "Email subscription status", "Inscrito"],
    ...["Situação da inscrição", "Status da inscrição", "Suscrito", "Estado de suscripción"],
    ...["Estado de la suscripción", "Abonné", "Statut d'abonnement", "Statut de l'abonnement"],
    ...["Stato iscrizione", "Stato dell'iscrizione", "Abonniert", "Abonnementstatus", "Status subskrypcji"],
    ...["Подписан", "Статус подписки", "購読状況", "配信状況", "订阅状态", "訂閱狀態"],
  ],
  permission: [
    ...["Email opt in", "Opt in", "Opted in", "Double opt in", "Marketing opt in", "Opt in status"],
    ...["SMS opt in", "Accepts marketing", "Accepts email marketing", "Accepts SMS marketing"],
    ...["Marketing consent", "Email marketing consent", "SMS marketing consent", "Email consent"],
    ...["Consent", "Newsletter", "Marketing status", "Person - Marketing status"],
    ...["Email marketing status", "Aceita marketing", "Aceita receber e-mails", "Consentimento"],
    ...["Consentimiento", "Acepta marketing", "Consentement", "Accepte le marketing", "Consenso"],
    ...["Consenso marketing", "Einwilligung", "Werbeeinwilligung", "Toestemming", "Zgoda marketingowa"],
    ...["Согласие на рассылку"],
  ],
  date: [
    ...["UNSUB_TIME", "Unsubscribe time", "Unsubscribed time", "Unsubscribed at", "Unsubscribed on"],
    ...["Unsubscribe date", "Unsubscribed date", "Date unsubscribed", "Unsubscription date", "Opt out at"],
    ...["Opt out date", "Opt out time", "Opted out at", "Opted out on", "Opted out date", "Date opted out"],
    ...["Email opt out date", "Email opted out date", "Data de descadastro", "Descadastrado em"],
    ...["Data do opt-out", "Data de opt-out", "Fecha de baja", "Fecha de desuscripción", "Dado de baja el"],
    ...["Date de désinscription", "Date de désabonnement", "Désinscrit le", "Désabonné le"],
    ...["Data disiscrizione", "Data di disiscrizione", "Disiscritto il", "Abgemeldet am", "Abmeldedatum"],
    ...["Uitgeschreven op", "Uitschrijfdatum", "Afgemeld op", "Data wypisania", "Дата отписки"],
    ...["配信停止日", "配信停止日時", "購読解除日", "退订时间", "退订日期", "取消订阅时间", "退訂時間"],
    ...["退訂日期"],
  ],
};

/**
 * Beginnings of headers, in the form of `plainWord`, below which yes means that the person opted out: HubSpot has a column for each
 * type of e-mail, such as `Opted out of email: Blog`.
 */
export const OUT_BEGINNINGS: readonly string[] = ["Opted out of email:"].map(plainWord);

/** The headers of `contact`, in the form of `plainWord`, that are about calls only. */
export const CALLS_ONLY: ReadonlySet<string> = new Set(CALLS.map(plainWord));
