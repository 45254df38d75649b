import type { Words } from "../words/use-words.ts";

type Word =
  | "title"
  | "lead"
  | "first"
  | "add"
  | "name"
  | "addHint"
  | "rename"
  | "save"
  | "cancel"
  | "remove"
  | "drag"
  | "up"
  | "down"
  | "empty"
  | "readOnly"
  | "added"
  | "renamed"
  | "removed"
  | "moved"
  | "removeTitle"
  | "removeWhat"
  | "become"
  | "choose"
  | "taken"
  | "last"
  | "list";

export const STATUS_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Statuses",
    lead: "The steps that a lead goes through, in the order of lists, boards and funnels.",
    list: "Statuses in their order",
    first: "New leads start here",
    add: "Add a status",
    name: "Name",
    addHint: "Such as “proposal sent”",
    rename: "Rename",
    save: "Save",
    cancel: "Cancel",
    remove: "Delete",
    drag: "Drag to another place",
    up: "Move up",
    down: "Move down",
    empty: "No leads",
    readOnly: "Your role lets you see the statuses. Editors and above can change them.",
    added: "Status added",
    renamed: "Status renamed",
    removed: "Status deleted",
    moved: "Order saved",
    removeTitle: "Delete this status?",
    removeWhat: "It goes from every list, board and filter to choose from.",
    become: "Its leads become",
    choose: "Choose what its leads become.",
    taken: "There is a status of this name already.",
    last: "A project needs at least one status.",
  },
  "pt-BR": {
    title: "Status",
    lead: "As etapas pelas quais um lead passa, na ordem de listas, quadros e funis.",
    list: "Status em sua ordem",
    first: "Novos leads começam aqui",
    add: "Adicionar um status",
    name: "Nome",
    addHint: "Como “proposta enviada”",
    rename: "Renomear",
    save: "Salvar",
    cancel: "Cancelar",
    remove: "Excluir",
    drag: "Arrastar para outro lugar",
    up: "Mover para cima",
    down: "Mover para baixo",
    empty: "Nenhum lead",
    readOnly: "Seu papel permite ver os status. Editores e acima podem alterá-los.",
    added: "Status adicionado",
    renamed: "Status renomeado",
    removed: "Status excluído",
    moved: "Ordem salva",
    removeTitle: "Excluir este status?",
    removeWhat: "Ele sai de todas as listas, quadros e filtros em que se escolhe.",
    become: "Seus leads passam a ser",
    choose: "Escolha o que seus leads passam a ser.",
    taken: "Já existe um status com este nome.",
    last: "Um projeto precisa de ao menos um status.",
  },
};

/** How many leads, in words. */
export const LEADS: Words<(count: number, written: string) => string> = {
  en: (count, written) => `${written} ${count === 1 ? "lead" : "leads"}`,
  "pt-BR": (_, written) => `${written} ${written === "1" ? "lead" : "leads"}`,
};

/** What the service's refusals mean here. */
export const REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: { status_used: "Leads have this status. Choose what they become." },
  "pt-BR": { status_used: "Há leads com este status. Escolha o que eles passam a ser." },
};
