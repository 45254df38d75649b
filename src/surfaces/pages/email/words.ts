import type { Words } from "../../../core/locale.ts";

type Word =
  | "account"
  | "title"
  | "what"
  | "now"
  | "fresh"
  | "proof"
  | "send"
  | "sent"
  | "noMail"
  | "command"
  | "confirm"
  | "confirmWhat"
  | "confirmButton"
  | "leave";

/** The texts of the pages on which the address of an account is changed. */
export const EMAIL_WORDS: Words<Record<Word, string>> = {
  en: {
    account: "Your account",
    title: "Change e-mail address",
    what: "We send a link to the new address. The address changes once you have opened the link and confirmed.",
    now: "Current address",
    fresh: "New address",
    proof: "Your password, or a code of your app",
    send: "Send link",
    sent: "A link is on its way to the new address. It works once, for an hour; only the newest link works. Until you confirm, your address stays the same.",
    noMail: "This service does not send e-mail, so only its operator can change your address.",
    command: "The operator can do it with this command:",
    confirm: "Confirm your new address",
    confirmWhat:
      "You sign in with the new address from now on. Your password, projects and applications stay the same, and we notify the current address.",
    confirmButton: "Change address",
    leave: "Keep the current address",
  },
  "pt-BR": {
    account: "Sua conta",
    title: "Alterar e-mail",
    what: "Enviamos um link para o novo endereço. O endereço muda depois que você abrir o link e confirmar.",
    now: "Endereço atual",
    fresh: "Novo endereço",
    proof: "Sua senha ou um código do seu aplicativo",
    send: "Enviar link",
    sent: "Um link está a caminho do novo endereço. Ele funciona uma vez, por uma hora; só o link mais recente vale. Até você confirmar, seu endereço continua o mesmo.",
    noMail: "Este serviço não envia e-mails, então só quem o opera pode alterar seu endereço.",
    command: "Quem opera o serviço pode fazer isso com este comando:",
    confirm: "Confirme seu novo endereço",
    confirmWhat:
      "A partir de agora, você entra com o novo endereço. Sua senha, seus projetos e seus aplicativos continuam os mesmos, e avisamos o endereço atual.",
    confirmButton: "Alterar endereço",
    leave: "Manter o endereço atual",
  },
};
