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

/** What the page says on which an account is deleted. */
export const DELETE_WORDS: Words<Record<Word, string>> = {
  en: {
    account: "Your account",
    title: "Delete your account",
    now: "This is what happens at once:",
    projects: "You leave these projects; their leads stay for the other members:",
    apps: "Applications that you let in lose their access.",
    sessions: "Every browser is signed out, and your password, passkeys and second factor are deleted.",
    keys: "API keys that you made keep working: they belong to their project.",
    log: "The projects' logs keep what you did, under your id, without your name and e-mail.",
    forGood: "Nobody can bring the account back.",
    alone: "You are the only owner of these projects",
    aloneWhat: "Your account can be deleted once each has another owner or is deleted:",
    handOver: "make somebody else owner",
    orDelete: "delete the project",
    password: "Your password",
    button: "Delete my account",
    gone: "Your account is deleted",
    goneWhat: "Every browser is signed out, and nothing acts in your name any more. Farewell.",
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
    log: "Os registros dos projetos mantêm o que você fez, sob o seu id, sem seu nome e seu e-mail.",
    forGood: "Ninguém pode trazer a conta de volta.",
    alone: "Você é o único proprietário destes projetos",
    aloneWhat: "Sua conta pode ser excluída quando cada um tiver outro proprietário ou for excluído:",
    handOver: "tornar outra pessoa proprietária",
    orDelete: "excluir o projeto",
    password: "Sua senha",
    button: "Excluir minha conta",
    gone: "Sua conta foi excluída",
    goneWhat: "Todos os navegadores foram desconectados, e nada mais age em seu nome. Até mais.",
  },
};
