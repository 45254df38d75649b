import type { Words } from "../../../core/locale.ts";

type Word =
  | "projects"
  | "title"
  | "profile"
  | "name"
  | "email"
  | "language"
  | "browser"
  | "save"
  | "security"
  | "twoFactor"
  | "twoFactorFor"
  | "passkeys"
  | "passkeysFor"
  | "apps"
  | "appsFor"
  | "log"
  | "logFor"
  | "password"
  | "passwordWhat"
  | "present"
  | "fresh"
  | "hint"
  | "change"
  | "sessions"
  | "here"
  | "since"
  | "used"
  | "unknown"
  | "on"
  | "end"
  | "endOthers"
  | "endAll"
  | "deleteTitle"
  | "deleteWhat"
  | "deleteLink"
  | "doneProfile"
  | "donePassword"
  | "doneSession"
  | "doneOthers";

/** What the account page says. */
export const ACCOUNT_WORDS: Words<Record<Word, string>> = {
  en: {
    projects: "Projects",
    title: "Your account",
    profile: "You",
    name: "Name",
    email: "E-mail",
    language: "Language",
    browser: "As my browser says",
    save: "Save",
    security: "Signing in and access",
    twoFactor: "Two-step sign-in",
    twoFactorFor: "a code from an app, besides the password",
    passkeys: "Passkeys",
    passkeysFor: "sign in with this device instead of a password",
    apps: "Connected apps",
    appsFor: "who reaches leads in your name",
    log: "Log",
    logFor: "what happened to your account",
    password: "Password",
    passwordWhat:
      "Changing it signs out every other browser. Applications that you let in keep their access; look through them under",
    present: "Present password",
    fresh: "New password",
    hint: "Eight characters or more; a long sentence is best.",
    change: "Change password",
    sessions: "Where you are signed in",
    here: "this browser",
    since: "since",
    used: "last used",
    unknown: "Unknown browser",
    on: "on",
    end: "Sign out",
    endOthers: "Sign out everywhere else",
    endAll: "Sign out everywhere",
    deleteTitle: "Delete account",
    deleteWhat: "Leaves all projects and ends everything in your name.",
    deleteLink: "See what will happen…",
    doneProfile: "Saved.",
    donePassword: "Your password is changed, and every other browser is signed out.",
    doneSession: "That browser is signed out.",
    doneOthers: "Every other browser is signed out.",
  },
  "pt-BR": {
    projects: "Projetos",
    title: "Sua conta",
    profile: "Você",
    name: "Nome",
    email: "E-mail",
    language: "Idioma",
    browser: "O do meu navegador",
    save: "Salvar",
    security: "Entrada e acesso",
    twoFactor: "Entrada em duas etapas",
    twoFactorFor: "um código de um aplicativo, além da senha",
    passkeys: "Chaves de acesso",
    passkeysFor: "entre com este aparelho em vez da senha",
    apps: "Aplicativos conectados",
    appsFor: "quem acessa leads em seu nome",
    log: "Registro",
    logFor: "o que aconteceu com a sua conta",
    password: "Senha",
    passwordWhat:
      "Ao trocá-la, todos os outros navegadores são desconectados. Os aplicativos que você autorizou mantêm o acesso; confira-os em",
    present: "Senha atual",
    fresh: "Nova senha",
    hint: "Oito caracteres ou mais; o melhor é uma frase longa.",
    change: "Trocar senha",
    sessions: "Onde você está conectado",
    here: "este navegador",
    since: "desde",
    used: "último uso",
    unknown: "Navegador desconhecido",
    on: "no",
    end: "Desconectar",
    endOthers: "Sair de todos os outros",
    endAll: "Sair de todos os lugares",
    deleteTitle: "Excluir conta",
    deleteWhat: "Sai de todos os projetos e encerra tudo o que está em seu nome.",
    deleteLink: "Veja o que vai acontecer…",
    doneProfile: "Salvo.",
    donePassword: "Sua senha foi trocada, e todos os outros navegadores foram desconectados.",
    doneSession: "Aquele navegador foi desconectado.",
    doneOthers: "Todos os outros navegadores foram desconectados.",
  },
};
