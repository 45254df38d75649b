import type { Words } from "../../../core/locale.ts";

type Word =
  | "projects"
  | "title"
  | "profile"
  | "name"
  | "email"
  | "changeEmail"
  | "language"
  | "browser"
  | "save"
  | "proof"
  | "proofWhat"
  | "proofMail"
  | "proofAsk"
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
  | "end"
  | "endOthers"
  | "endAll"
  | "deleteTitle"
  | "deleteWhat"
  | "deleteLink"
  | "doneProof"
  | "shortcuts"
  | "singleKeys"
  | "singleKeysWhat"
  | "doneShortcuts"
  | "doneProfile"
  | "doneEmail"
  | "donePassword"
  | "doneSession"
  | "doneOthers";

/** The texts of the account page. */
export const ACCOUNT_WORDS: Words<Record<Word, string>> = {
  en: {
    projects: "Projects",
    title: "Your account",
    profile: "You",
    name: "Name",
    email: "E-mail",
    changeEmail: "Change…",
    language: "Language",
    browser: "Same as my browser",
    save: "Save",
    proof: "Your e-mail address is not confirmed",
    proofWhat:
      "This account was made with a link that others have seen. You confirm the address by opening a link sent to it and setting a new password there. That removes passkeys, the authenticator app and connected applications; your projects stay.",
    proofMail: "Send me the link",
    proofAsk: "Ask the operator of this service for the link.",
    security: "Sign-in and access",
    twoFactor: "Two-step sign-in",
    twoFactorFor: "a code from an app in addition to the password",
    passkeys: "Passkeys",
    passkeysFor: "sign in with this device instead of a password",
    apps: "Connected apps",
    appsFor: "applications that access leads on your behalf",
    log: "Log",
    logFor: "activity in your account",
    password: "Password",
    passwordWhat:
      "Changing it signs out every other browser. Applications that you connected keep their access; review them under",
    present: "Current password",
    fresh: "New password",
    hint: "At least 8 characters; a long sentence is best.",
    change: "Change password",
    sessions: "Where you are signed in",
    here: "this browser",
    since: "since",
    used: "last used",
    end: "Sign out",
    endOthers: "Sign out of all other browsers",
    endAll: "Sign out of all browsers",
    deleteTitle: "Delete account",
    deleteWhat: "Removes you from all projects and deletes your account data.",
    deleteLink: "See what will be deleted…",
    doneProof: "The link is on its way to your e-mail address. It works once, for an hour.",
    shortcuts: "Keyboard shortcuts",
    singleKeys: "Use shortcuts of a single key in the panel",
    singleKeysWhat:
      "For example c for a new lead. Turn them off if you use speech input or press keys by accident. Shortcuts with Ctrl or ⌘ stay.",
    doneShortcuts: "Saved.",
    doneProfile: "Saved.",
    doneEmail: "Your e-mail address has been changed. Sign in with the new one from now on.",
    donePassword: "Your password has been changed, and every other browser has been signed out.",
    doneSession: "That browser has been signed out.",
    doneOthers: "Every other browser has been signed out.",
  },
  "pt-BR": {
    projects: "Projetos",
    title: "Sua conta",
    profile: "Você",
    name: "Nome",
    email: "E-mail",
    changeEmail: "Alterar…",
    language: "Idioma",
    browser: "O mesmo do navegador",
    save: "Salvar",
    proof: "Seu endereço de e-mail não está confirmado",
    proofWhat:
      "Esta conta foi criada com um link que outras pessoas viram. Para confirmar o endereço, abra um link enviado a ele e defina uma nova senha. Isso remove as chaves de acesso, o aplicativo autenticador e os aplicativos conectados; seus projetos continuam.",
    proofMail: "Enviar o link",
    proofAsk: "Peça o link ao operador deste serviço.",
    security: "Entrada e acesso",
    twoFactor: "Entrada em duas etapas",
    twoFactorFor: "um código de um aplicativo, além da senha",
    passkeys: "Chaves de acesso",
    passkeysFor: "entre com este aparelho em vez da senha",
    apps: "Aplicativos conectados",
    appsFor: "aplicativos que acessam leads em seu nome",
    log: "Registro",
    logFor: "atividade da sua conta",
    password: "Senha",
    passwordWhat:
      "Ao alterá-la, todos os outros navegadores são desconectados. Os aplicativos que você autorizou mantêm o acesso; confira-os em",
    present: "Senha atual",
    fresh: "Nova senha",
    hint: "Pelo menos 8 caracteres; o melhor é uma frase longa.",
    change: "Alterar senha",
    sessions: "Onde você está conectado",
    here: "este navegador",
    since: "desde",
    used: "último uso",
    end: "Desconectar",
    endOthers: "Sair de todos os outros navegadores",
    endAll: "Sair de todos os navegadores",
    deleteTitle: "Excluir conta",
    deleteWhat: "Remove você de todos os projetos e exclui os dados da sua conta.",
    deleteLink: "Ver o que será excluído…",
    doneProof: "O link está a caminho do seu endereço de e-mail. Ele funciona uma vez, por uma hora.",
    shortcuts: "Atalhos do teclado",
    singleKeys: "Usar no painel atalhos de uma só tecla",
    singleKeysWhat:
      "Por exemplo, c para um novo lead. Desative-os se você usa comandos de voz ou pressiona teclas sem querer. Os atalhos com Ctrl ou ⌘ continuam.",
    doneShortcuts: "Salvo.",
    doneProfile: "Salvo.",
    doneEmail: "Seu e-mail foi alterado. A partir de agora, entre com o novo endereço.",
    donePassword: "Sua senha foi alterada, e todos os outros navegadores foram desconectados.",
    doneSession: "O navegador foi desconectado.",
    doneOthers: "Todos os outros navegadores foram desconectados.",
  },
};
