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
  | "list"
  | "meaning"
  | "open"
  | "won"
  | "lost"
  | "meant";

export const STATUS_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Statuses",
    lead: "The stages a lead goes through, in the order used by lists, boards and funnels.",
    list: "Statuses in order",
    first: "New leads start here",
    add: "Add status",
    name: "Name",
    addHint: "For example, “proposal sent”",
    rename: "Rename",
    save: "Save",
    cancel: "Cancel",
    remove: "Delete",
    drag: "Drag to reorder",
    up: "Move up",
    down: "Move down",
    empty: "No leads",
    readOnly: "You need the Editor role to change statuses.",
    added: "Status added",
    renamed: "Status renamed",
    removed: "Status deleted",
    moved: "Order saved",
    removeTitle: "Delete this status?",
    removeWhat: "It can no longer be chosen in lists, boards and filters.",
    become: "New status of its leads",
    choose: "Choose a new status for its leads.",
    taken: "A status with this name already exists.",
    last: "A project needs at least one status.",
    meaning: "Counts as",
    open: "Open",
    won: "Won",
    lost: "Lost",
    meant: "Meaning saved",
  },
  "pt-BR": {
    title: "Status",
    lead: "As etapas de um lead, na ordem usada em listas, quadros e funis.",
    list: "Status em ordem",
    first: "Novos leads começam aqui",
    add: "Adicionar status",
    name: "Nome",
    addHint: "Por exemplo, “proposta enviada”",
    rename: "Renomear",
    save: "Salvar",
    cancel: "Cancelar",
    remove: "Excluir",
    drag: "Arraste para reordenar",
    up: "Mover para cima",
    down: "Mover para baixo",
    empty: "Nenhum lead",
    readOnly: "Você precisa do papel de Editor para alterar os status.",
    added: "Status adicionado",
    renamed: "Status renomeado",
    removed: "Status excluído",
    moved: "Ordem salva",
    removeTitle: "Excluir este status?",
    removeWhat: "Ele não poderá mais ser escolhido em listas, quadros e filtros.",
    become: "Novo status dos leads",
    choose: "Escolha um novo status para os leads.",
    taken: "Já existe um status com este nome.",
    last: "Um projeto precisa de pelo menos um status.",
    meaning: "Conta como",
    open: "Em aberto",
    won: "Ganho",
    lost: "Perdido",
    meant: "Significado salvo",
  },
};

/** The number of leads in words. */
export const LEADS: Words<(count: number, written: string) => string> = {
  en: (count, written) => `${written} ${count === 1 ? "lead" : "leads"}`,
  "pt-BR": (_, written) => `${written} ${written === "1" ? "lead" : "leads"}`,
};

/** The service's refusals on this screen. */
export const REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: { status_used: "This status has leads. Choose a new status for them." },
  "pt-BR": { status_used: "Há leads com este status. Escolha um novo status para eles." },
};
