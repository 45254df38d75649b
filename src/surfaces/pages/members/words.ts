import type { Words } from "../../../core/locale.ts";

type Word =
  | "projects"
  | "title"
  | "you"
  | "role"
  | "change"
  | "remove"
  | "removeWhat"
  | "invite"
  | "inviteWhat"
  | "mailed"
  | "email"
  | "send"
  | "fresh"
  | "freshWhat"
  | "open"
  | "by"
  | "until"
  | "withdraw"
  | "since";

/** What the page of a project's members says. */
export const MEMBER_WORDS: Words<Record<Word, string>> = {
  en: {
    projects: "Projects",
    title: "Members",
    you: "you",
    role: "Role of",
    change: "Change role",
    remove: "Remove…",
    removeWhat:
      "They lose access at once, and so do the applications that they let into this project. API keys stay.",
    invite: "Invite somebody",
    inviteWhat:
      "You get a link to hand over. It works once, for seven days; whoever holds it may come in with this role.",
    mailed: "We also mail it to them.",
    email: "E-mail",
    send: "Invite",
    fresh: "Invitation for",
    freshWhat: "Hand over this link. It is not kept and cannot be shown again.",
    open: "Open invitations",
    by: "invited by",
    until: "until",
    withdraw: "Withdraw",
    since: "since",
  },
  "pt-BR": {
    projects: "Projetos",
    title: "Membros",
    you: "você",
    role: "Papel de",
    change: "Mudar papel",
    remove: "Remover…",
    removeWhat:
      "A pessoa perde o acesso imediatamente, assim como os aplicativos que ela autorizou neste projeto. As chaves de API continuam.",
    invite: "Convidar alguém",
    inviteWhat:
      "Você recebe um link para entregar. Ele funciona uma vez, por sete dias; quem o tiver pode entrar com este papel.",
    mailed: "Também o enviamos por e-mail.",
    email: "E-mail",
    send: "Convidar",
    fresh: "Convite para",
    freshWhat: "Entregue este link. Ele não é guardado e não pode ser mostrado de novo.",
    open: "Convites abertos",
    by: "convite de",
    until: "até",
    withdraw: "Cancelar",
    since: "desde",
  },
};
