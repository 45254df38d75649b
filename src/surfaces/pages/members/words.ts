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
  | "inviteMails"
  | "email"
  | "send"
  | "fresh"
  | "freshWhat"
  | "freshMailed"
  | "unverified"
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
    inviteMails:
      "We send a link to this address by e-mail. It works once, for seven days, and is not shown to you.",
    email: "E-mail",
    send: "Invite",
    fresh: "Invitation for",
    freshWhat: "Share this link. It is not stored and cannot be shown again.",
    freshMailed:
      "The link is on its way to this address by e-mail. If it does not arrive, invite the address again: a new link replaces this one.",
    unverified: "e-mail not confirmed",
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
    inviteMails:
      "Enviamos um link por e-mail a este endereço. Ele funciona uma vez, por sete dias, e não é mostrado a você.",
    email: "E-mail",
    send: "Convidar",
    fresh: "Convite para",
    freshWhat: "Compartilhe este link. Ele não fica salvo e não pode ser mostrado de novo.",
    freshMailed:
      "O link está a caminho deste endereço por e-mail. Se não chegar, convide o endereço de novo: um novo link substitui este.",
    unverified: "e-mail não confirmado",
    open: "Convites abertos",
    by: "convite de",
    until: "até",
    withdraw: "Cancelar",
    since: "desde",
  },
};
