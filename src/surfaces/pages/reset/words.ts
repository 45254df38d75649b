import type { Words } from "../../../core/locale.ts";

type Word =
  | "title"
  | "account"
  | "what"
  | "whatUnverified"
  | "password"
  | "hint"
  | "endPasskeys"
  | "endPasskeysWhen"
  | "set"
  | "done"
  | "apps"
  | "doneUnverified"
  | "review"
  | "signIn"
  | "app"
  | "appSince"
  | "appStays"
  | "appEnds"
  | "passkeys"
  | "passkeysStay"
  | "passkeysEnd"
  | "added"
  | "sessions"
  | "sessionsEnd"
  | "used";

/** The texts of the page of a reset link. */
export const RESET_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Set a new password",
    account: "Account",
    what: "This signs out every browser. Applications that you connected keep their access, and a second factor stays unchanged.",
    whatUnverified:
      "Until now, nobody had proved that this e-mail address is theirs. Setting a password makes the account yours: every browser is signed out, and all earlier passwords, passkeys, authenticator apps, recovery codes, connected applications and invitations from this account stop working.",
    password: "New password",
    hint: "At least 8 characters; a long sentence is best.",
    endPasskeys: "Remove all passkeys",
    endPasskeysWhen: "if one of them is not yours, or you lost a device",
    set: "Set password",
    done: "Your new password is set, and every browser has been signed out.",
    apps: "Applications that you connected keep their access. Review them under Connected apps after signing in.",
    doneUnverified:
      "The account is yours, and your e-mail address is confirmed. Everything that could sign in to it before has ended.",
    review:
      "The account is still a member of its projects. After signing in, check in projects that you did not create whether you want to stay, and check the members and API keys of those that you own.",
    signIn: "Sign in",
    app: "Authenticator app",
    appSince: "set up on",
    appStays: "It stays: after the password, you are asked for its code. If you lost it, ask the operator.",
    appEnds: "It is removed.",
    passkeys: "Passkeys",
    passkeysStay: "They still sign in to this account.",
    passkeysEnd: "They are removed.",
    added: "added on",
    sessions: "Signed in at the moment",
    sessionsEnd: "These browsers are signed out.",
    used: "last used",
  },
  "pt-BR": {
    title: "Defina uma nova senha",
    account: "Conta",
    what: "Todos os navegadores serão desconectados. Os aplicativos que você autorizou mantêm o acesso, e o segundo fator continua como está.",
    whatUnverified:
      "Até agora, ninguém tinha provado que este endereço de e-mail é seu. Ao definir uma senha, a conta passa a ser sua: todos os navegadores são desconectados, e as senhas, as chaves de acesso, o aplicativo autenticador, os códigos de recuperação, os aplicativos conectados e os convites anteriores desta conta deixam de funcionar.",
    password: "Nova senha",
    hint: "Pelo menos 8 caracteres; o melhor é uma frase longa.",
    endPasskeys: "Remover todas as chaves de acesso",
    endPasskeysWhen: "se alguma delas não é sua, ou se você perdeu um aparelho",
    set: "Definir senha",
    done: "Sua nova senha está definida, e todos os navegadores foram desconectados.",
    apps: "Os aplicativos que você autorizou mantêm o acesso. Confira-os em Aplicativos conectados depois de entrar.",
    doneUnverified:
      "A conta é sua, e seu endereço de e-mail está confirmado. Tudo o que antes podia entrar nela foi encerrado.",
    review:
      "A conta continua como membro de seus projetos. Depois de entrar, veja se quer ficar nos projetos que você não criou, e confira os membros e as chaves de API daqueles em que é proprietário.",
    signIn: "Entrar",
    app: "Aplicativo autenticador",
    appSince: "configurado em",
    appStays: "Ele continua: depois da senha, pedimos o código dele. Se você o perdeu, fale com o operador.",
    appEnds: "Ele será removido.",
    passkeys: "Chaves de acesso",
    passkeysStay: "Elas continuam entrando nesta conta.",
    passkeysEnd: "Elas serão removidas.",
    added: "adicionada em",
    sessions: "Conectado neste momento",
    sessionsEnd: "Estes navegadores serão desconectados.",
    used: "último uso",
  },
};
