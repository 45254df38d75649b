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
  | "claim"
  | "claimWhat"
  | "email"
  | "name"
  | "password"
  | "hint"
  | "createButton"
  | "have"
  | "signIn"
  | "leave"
  | "stale";

/** The texts of an invitation's page. */
export const INVITATION_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Invitation",
    invites: "invites you to the project",
    invited: "You have been invited to the project",
    as: "Your role",
    until: "Expires on",
    signedInAs: "You are signed in as",
    other:
      "The invitation was sent to another e-mail. You can accept it with this account because you have its link. It was sent to",
    accept: "Accept",
    create: "Create your account",
    createWhat: "You will sign in with this e-mail.",
    claim: "Take over your account",
    claimWhat:
      "There is already an account with this e-mail, but until now nobody had proved that the address is theirs. Choose a new name and password. Whoever used the account before is signed out, and their password, passkeys, authenticator app and connected applications stop working.",
    email: "E-mail",
    name: "Your name",
    password: "Password",
    hint: "At least 8 characters; a long sentence is best.",
    createButton: "Create account and accept",
    have: "Already have an account?",
    signIn: "Sign in to accept",
    leave: "Not now",
    stale: "This form has expired, or your browser did not send a cookie. Try again.",
  },
  "pt-BR": {
    title: "Convite",
    invites: "convida você para o projeto",
    invited: "Você foi convidado para o projeto",
    as: "Seu papel",
    until: "Válido até",
    signedInAs: "Você entrou como",
    other:
      "O convite foi enviado a outro e-mail. Você pode aceitá-lo com esta conta, porque tem o link. Ele foi enviado a",
    accept: "Aceitar",
    create: "Crie sua conta",
    createWhat: "Você vai entrar com este e-mail.",
    claim: "Assuma sua conta",
    claimWhat:
      "Já existe uma conta com este e-mail, mas até agora ninguém tinha provado que o endereço é seu. Escolha um novo nome e uma nova senha. Quem usou a conta antes é desconectado, e a senha, as chaves de acesso, o aplicativo autenticador e os aplicativos conectados dessa pessoa deixam de funcionar.",
    email: "E-mail",
    name: "Seu nome",
    password: "Senha",
    hint: "Pelo menos 8 caracteres; o melhor é uma frase longa.",
    createButton: "Criar conta e aceitar",
    have: "Já tem uma conta?",
    signIn: "Entre para aceitar",
    leave: "Agora não",
    stale: "Este formulário expirou, ou seu navegador não enviou o cookie. Tente de novo.",
  },
};
