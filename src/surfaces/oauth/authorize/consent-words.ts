import type { Words } from "../../../core/locale.ts";
import { type Html, html } from "../../../http/response/html.ts";

/** Why a consent page is shown again instead of accepting its form. */
export type ConsentFault = "choose_project" | "may_not_connect" | "new_session" | "changed";

interface ConsentWords {
  title: string;
  question: string;
  signedIn: string;
  other: string;
  ends(days: string, apps: Html): Html;
  apps: string;
  days(count: number): string;
  minutes(count: number): string;
  allow: string;
  ready: string;
  refuse: string;
  noProject: string;
  onlyReads: string;
  mayNotConnect(projects: Html): Html;
  more(count: number): string;
  newProject: string;
  projectName: string;
  create: string;
  faults: Record<ConsentFault, string>;
}

/** The texts of the consent page. */
export const CONSENT: Words<ConsentWords> = {
  en: {
    title: "Give access",
    question: "Give an application access to your leads?",
    signedIn: "You are signed in as",
    other: "Use another account",
    ends: (days, apps) =>
      html`Access lasts until you revoke it under ${apps}, which you can do at any time. It also ends if it is
not used for ${days}.`,
    apps: "Connected apps",
    days: (count) => `${count} days`,
    minutes: (count) => (count === 1 ? "1 minute" : `${count} minutes`),
    allow: "Allow",
    ready: "You can now choose Allow.",
    refuse: "Deny",
    noProject:
      "You do not have a project yet, so there is nothing to share. Create one here, or ask a project owner to add you.",
    onlyReads: `The application wants to change data, but in your projects you can only read. Ask the owner of a
project for another role, or create your own project.`,
    mayNotConnect: (projects) =>
      html`Your role may not connect applications to ${projects}. Ask an owner or admin there.`,
    more: (count) => `and ${count} more`,
    newProject: "Create a new project",
    projectName: "Name of the new project",
    create: "Create project",
    faults: {
      choose_project: "Choose one of your projects.",
      may_not_connect:
        "Your role in this project may not connect applications. Choose another project, or ask an owner or admin.",
      new_session: "Your session has changed since you opened this page. Check it again, then decide.",
      changed: "The application has changed its description. Check it again, then decide.",
    },
  },
  "pt-BR": {
    title: "Dar acesso",
    question: "Dar a um aplicativo acesso aos seus leads?",
    signedIn: "Você entrou como",
    other: "Usar outra conta",
    ends: (days, apps) =>
      html`O acesso dura até você revogá-lo em ${apps}, a qualquer momento. Ele também termina
se não for usado por ${days}.`,
    apps: "Aplicativos conectados",
    days: (count) => `${count} dias`,
    minutes: (count) => (count === 1 ? "1 minuto" : `${count} minutos`),
    allow: "Permitir",
    ready: "Agora você pode escolher Permitir.",
    refuse: "Negar",
    noProject:
      "Você ainda não tem nenhum projeto para compartilhar. Crie um aqui ou peça ao proprietário de um projeto para adicionar você.",
    onlyReads: `O aplicativo quer alterar dados, mas nos seus projetos você só pode ler. Peça outro papel ao
proprietário de um projeto ou crie o seu próprio projeto.`,
    mayNotConnect: (projects) =>
      html`Seu papel não pode conectar aplicativos a ${projects}. Fale com um proprietário ou administrador de lá.`,
    more: (count) => `e mais ${count}`,
    newProject: "Criar um novo projeto",
    projectName: "Nome do novo projeto",
    create: "Criar projeto",
    faults: {
      choose_project: "Escolha um dos seus projetos.",
      may_not_connect:
        "Seu papel neste projeto não pode conectar aplicativos. Escolha outro projeto ou fale com um proprietário ou administrador.",
      new_session: "Sua sessão mudou depois que esta página foi aberta. Confira de novo antes de decidir.",
      changed: "O aplicativo mudou a própria descrição. Confira de novo antes de decidir.",
    },
  },
};
