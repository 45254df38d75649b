import type { Words } from "../../../core/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";

/** Why a consent page is shown once more instead of doing what its form asked. */
export type ConsentFault = "choose_project" | "new_session" | "changed";

interface ConsentWords {
  title: string;
  question(name: Html): Html;
  signedIn: string;
  other: string;
  ends(days: string, apps: Html): Html;
  apps: string;
  days(count: number): string;
  minutes(count: number): string;
  allow: string;
  refuse: string;
  noProject: string;
  onlyReads: string;
  newProject: string;
  projectName: string;
  create: string;
  faults: Record<ConsentFault, string>;
}

/** What the consent page says. */
export const CONSENT: Words<ConsentWords> = {
  en: {
    title: "Give access",
    question: (name) => html`Give ${name} access to your leads?`,
    signedIn: "You are signed in as",
    other: "Use another account",
    ends: (days, apps) =>
      html`Access lasts until you end it under ${apps}, which you may do at any time. It ends by itself when it was
not used for ${days}.`,
    apps: "Connected apps",
    days: (count) => `${count} days`,
    minutes: (count) => (count === 1 ? "1 minute" : `${count} minutes`),
    allow: "Allow",
    refuse: "Refuse",
    noProject:
      "You have no project yet, so there is nothing to share. Create one here, or ask the owner of one to add you.",
    onlyReads: `The application asks to change data, and in your projects you may only read. Ask the owner of a
project for another role, or create a project of your own.`,
    newProject: "Create a new project",
    projectName: "Name of the new project",
    create: "Create project",
    faults: {
      choose_project: "Choose one of your projects.",
      new_session: "Your session has changed since this page was opened. Look at it again, then decide.",
      changed: "The application has changed what it says of itself. Look at it again, then decide.",
    },
  },
  "pt-BR": {
    title: "Dar acesso",
    question: (name) => html`Dar a ${name} acesso aos seus leads?`,
    signedIn: "Você entrou como",
    other: "Usar outra conta",
    ends: (days, apps) =>
      html`O acesso dura até você encerrá-lo em ${apps}, o que pode fazer a qualquer momento. Ele termina sozinho
quando não for usado por ${days}.`,
    apps: "Aplicativos conectados",
    days: (count) => `${count} dias`,
    minutes: (count) => (count === 1 ? "1 minuto" : `${count} minutos`),
    allow: "Permitir",
    refuse: "Recusar",
    noProject:
      "Você ainda não tem nenhum projeto, então não há o que compartilhar. Crie um aqui ou peça ao proprietário de um que adicione você.",
    onlyReads: `O aplicativo pede para alterar dados, e nos seus projetos você só pode ler. Peça outro papel ao
proprietário de um projeto ou crie um projeto seu.`,
    newProject: "Criar um novo projeto",
    projectName: "Nome do novo projeto",
    create: "Criar projeto",
    faults: {
      choose_project: "Escolha um dos seus projetos.",
      new_session: "Sua sessão mudou desde que esta página foi aberta. Confira de novo e então decida.",
      changed: "O aplicativo mudou o que diz de si mesmo. Confira de novo e então decida.",
    },
  },
};
