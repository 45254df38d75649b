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

/** The texts of the page of a project's members. */
export const MEMBER_WORDS: Words<Record<Word, string>> = {
  en: {
    projects: "Projects",
    title: "Members",
    you: "you",
    role: "Role of",
    change: "Change role",
    remove: "Remove…",
    removeWhat:
      "They lose access immediately, and so do the applications that they connected to this project. API keys stay.",
    invite: "Invite someone",
    inviteWhat:
      "You get a link to share. It works once, for seven days; anyone with the link can join with this role.",
    mailed: "We also send it by e-mail.",
    email: "E-mail",
    send: "Invite",
    fresh: "Invitation for",
    freshWhat: "Share this link. It is not stored and cannot be shown again.",
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
    change: "Alterar papel",
    remove: "Remover…",
    removeWhat:
      "A pessoa perde o acesso imediatamente, assim como os aplicativos que ela autorizou neste projeto. As chaves de API continuam.",
    invite: "Convidar alguém",
    inviteWhat:
      "Você recebe um link para compartilhar. Ele funciona uma vez, por sete dias; quem tiver o link pode entrar com este papel.",
    mailed: "Também enviamos o link por e-mail.",
    email: "E-mail",
    send: "Convidar",
    fresh: "Convite para",
    freshWhat: "Compartilhe este link. Ele não fica salvo e não pode ser mostrado de novo.",
    open: "Convites abertos",
    by: "convite de",
    until: "até",
    withdraw: "Cancelar",
    since: "desde",
  },
};
