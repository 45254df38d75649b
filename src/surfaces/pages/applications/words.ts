import type { Words } from "../../../core/locale.ts";

interface ApplicationWords {
  title: string;
  intro: string;
  claim: string;
  who(roles: string): string;
  change: string;
  none: string;
  noneWhat: string;
  others(count: number): string;
  noLonger: string;
  revoke: string;
  revokeWhat: string;
  one: string;
  ofApplication(count: number): string;
  ofMember(count: number): string;
  all: string;
  allWhat: string;
  revokeAll(count: number): string;
  revoked(count: number): string;
  first: string;
  next: string;
}

/** The texts of the page of a project's connected applications. */
export const APPLICATION_WORDS: Words<ApplicationWords> = {
  en: {
    title: "Applications",
    intro:
      "Applications that members connected to this project, the last used first. Revoking takes effect with their next request.",
    claim: "An application chooses its own name: check where it returns to.",
    who: (roles) => `These roles may connect applications: ${roles}.`,
    change: "Change this",
    none: "No applications are connected to this project.",
    noneWhat:
      "When a member connects an assistant or another application, it appears here with the member and what it may do.",
    others: (count) =>
      count === 1
        ? "1 connection belongs to a member whose role may no longer connect applications. It works until it is revoked."
        : `${count} connections belong to members whose role may no longer connect applications. They work until they are revoked.`,
    noLonger: "This role may no longer connect applications",
    revoke: "Revoke…",
    revokeWhat: "The application loses access immediately. The member can see in their log who revoked it.",
    one: "Revoke this connection",
    ofApplication: (count) => `Revoke all ${count} connections of this application`,
    ofMember: (count) => `Revoke all ${count} connections of this member`,
    all: "Revoke all connections…",
    allWhat:
      "All applications of all members, yours too, lose access to this project immediately. Members whose role allows it can connect them again.",
    revokeAll: (count) => (count === 1 ? "Revoke 1 connection" : `Revoke ${count} connections`),
    revoked: (count) =>
      count === 0
        ? "Nothing was left to revoke."
        : count === 1
          ? "1 connection revoked."
          : `${count} connections revoked.`,
    first: "First page",
    next: "Next",
  },
  "pt-BR": {
    title: "Aplicativos",
    intro:
      "Aplicativos que os membros conectaram a este projeto, começando pelos usados mais recentemente. A revogação vale a partir da próxima solicitação deles.",
    claim: "O aplicativo escolhe o próprio nome: confira para onde ele volta.",
    who: (roles) => `Estes papéis podem conectar aplicativos: ${roles}.`,
    change: "Alterar",
    none: "Nenhum aplicativo está conectado a este projeto.",
    noneWhat:
      "Quando um membro conectar um assistente ou outro aplicativo, ele aparecerá aqui com o membro e com o que pode fazer.",
    others: (count) =>
      count === 1
        ? "1 conexão é de um membro cujo papel não pode mais conectar aplicativos. Ela funciona até ser revogada."
        : `${count} conexões são de membros cujo papel não pode mais conectar aplicativos. Elas funcionam até serem revogadas.`,
    noLonger: "Este papel não pode mais conectar aplicativos",
    revoke: "Revogar…",
    revokeWhat: "O aplicativo perde o acesso imediatamente. O membro vê no próprio registro quem o revogou.",
    one: "Revogar esta conexão",
    ofApplication: (count) => `Revogar as ${count} conexões deste aplicativo`,
    ofMember: (count) => `Revogar as ${count} conexões deste membro`,
    all: "Revogar todas as conexões…",
    allWhat:
      "Todos os aplicativos de todos os membros, inclusive os seus, perdem o acesso a este projeto imediatamente. Membros cujo papel permite podem conectá-los de novo.",
    revokeAll: (count) => (count === 1 ? "Revogar 1 conexão" : `Revogar ${count} conexões`),
    revoked: (count) =>
      count === 0
        ? "Não havia mais nada para revogar."
        : count === 1
          ? "1 conexão revogada."
          : `${count} conexões revogadas.`,
    first: "Primeira página",
    next: "Próxima",
  },
};
