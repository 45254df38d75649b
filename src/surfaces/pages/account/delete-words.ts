import type { Words } from "../../../core/locale.ts";

type Word =
  | "account"
  | "title"
  | "now"
  | "projects"
  | "apps"
  | "sessions"
  | "keys"
  | "log"
  | "forGood"
  | "alone"
  | "aloneWhat"
  | "handOver"
  | "orDelete"
  | "password"
  | "button"
  | "gone"
  | "goneWhat";

/** The texts of the page on which an account is deleted. */
export const DELETE_WORDS: Words<Record<Word, string>> = {
  en: {
    account: "Your account",
    title: "Delete your account",
    now: "This happens immediately:",
    projects: "You leave these projects; their leads stay for the other members:",
    apps: "Applications that you connected lose their access.",
    sessions: "Every browser is signed out, and your password, passkeys and second factor are deleted.",
    keys: "API keys that you created keep working: they belong to the project.",
    log: "The logs of the projects keep your actions under your id, without your name and e-mail.",
    forGood: "The account cannot be restored.",
    alone: "You are the only owner of these projects",
    aloneWhat: "You can delete your account once each of them has another owner or is deleted:",
    handOver: "make someone else an owner",
    orDelete: "delete the project",
    password: "Your password",
    button: "Delete my account",
    gone: "Your account has been deleted",
    goneWhat: "Every browser has been signed out, and nothing can act on your behalf any more.",
  },
  "pt-BR": {
    account: "Sua conta",
    title: "Excluir sua conta",
    now: "Isto acontece imediatamente:",
    projects: "Você sai destes projetos; os leads deles ficam para os outros membros:",
    apps: "Os aplicativos que você autorizou perdem o acesso.",
    sessions:
      "Todos os navegadores são desconectados, e sua senha, suas chaves de acesso e seu segundo fator são excluídos.",
    keys: "As chaves de API que você criou continuam funcionando: elas pertencem ao projeto.",
    log: "Os registros dos projetos mantêm suas ações com o seu id, sem seu nome e e-mail.",
    forGood: "A conta não pode ser restaurada.",
    alone: "Você é o único proprietário destes projetos",
    aloneWhat: "Você pode excluir sua conta quando cada um deles tiver outro proprietário ou for excluído:",
    handOver: "tornar outra pessoa proprietária",
    orDelete: "excluir o projeto",
    password: "Sua senha",
    button: "Excluir minha conta",
    gone: "Sua conta foi excluída",
    goneWhat: "Todos os navegadores foram desconectados, e nada mais pode agir em seu nome.",
  },
};
