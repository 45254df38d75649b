import type { Words } from "../../../core/locale.ts";

type Word =
  | "title"
  | "invites"
  | "invited"
  | "as"
  | "until"
  | "signedInAs"
  | "other"
  | "accept"
  | "create"
  | "createWhat"
  | "email"
  | "name"
  | "password"
  | "hint"
  | "createButton"
  | "have"
  | "signIn"
  | "leave"
  | "stale";

/** What the page of an invitation says. */
export const INVITATION_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Invitation",
    invites: "invites you to the project",
    invited: "You are invited to the project",
    as: "Your role there",
    until: "Open until",
    signedInAs: "You are signed in as",
    other:
      "The invitation was sent to another e-mail. You may accept it with this account, because you hold its link. It was sent to",
    accept: "Accept",
    create: "Create your account",
    createWhat: "You sign in with this e-mail from now on.",
    email: "E-mail",
    name: "Your name",
    password: "Password",
    hint: "Eight characters or more; a long sentence is best.",
    createButton: "Create account and accept",
    have: "Have you got an account already?",
    signIn: "Sign in to accept",
    leave: "Not now",
    stale: "This form was too old, or your browser sent no cookie. Please try again.",
  },
  "pt-BR": {
    title: "Convite",
    invites: "convida você para o projeto",
    invited: "Você foi convidado para o projeto",
    as: "Seu papel nele",
    until: "Aberto até",
    signedInAs: "Você entrou como",
    other:
      "O convite foi enviado a outro e-mail. Você pode aceitá-lo com esta conta, porque tem o link. Ele foi enviado a",
    accept: "Aceitar",
    create: "Crie sua conta",
    createWhat: "De agora em diante você entra com este e-mail.",
    email: "E-mail",
    name: "Seu nome",
    password: "Senha",
    hint: "Oito caracteres ou mais; o melhor é uma frase longa.",
    createButton: "Criar conta e aceitar",
    have: "Já tem uma conta?",
    signIn: "Entre para aceitar",
    leave: "Agora não",
    stale: "Este formulário era antigo demais, ou seu navegador não enviou cookie. Tente de novo.",
  },
};
