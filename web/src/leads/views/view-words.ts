import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  views: "Views",
  all: "All leads",
  changed: "changed",
  save: "Save as a view",
  saveWhat: "It keeps the filter, search, order and columns. Everybody in the project sees it.",
  update: "Save the changes",
  discard: "Take the changes back",
  rename: "Rename",
  remove: "Delete",
  more: "More for the view",
  name: "Name",
  cancel: "Cancel",
  saved: "View saved",
  updated: "View changed",
  renamed: "View renamed",
  removed: "View deleted",
  removeTitle: "Delete this view?",
  removeWhat: "It goes for everybody in the project. No lead is deleted.",
};

const PORTUGUESE: typeof ENGLISH = {
  views: "Visões",
  all: "Todos os leads",
  changed: "alterada",
  save: "Salvar como visão",
  saveWhat: "Guarda filtro, busca, ordem e colunas. Todos no projeto a veem.",
  update: "Salvar as mudanças",
  discard: "Desfazer as mudanças",
  rename: "Renomear",
  remove: "Excluir",
  more: "Mais para a visão",
  name: "Nome",
  cancel: "Cancelar",
  saved: "Visão salva",
  updated: "Visão alterada",
  renamed: "Visão renomeada",
  removed: "Visão excluída",
  removeTitle: "Excluir esta visão?",
  removeWhat: "Ela some para todos no projeto. Nenhum lead é excluído.",
};

export const VIEW_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

export const VIEW_REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: {
    stale: "Somebody changed this view meanwhile. Look at it again, then save.",
    view_used: "Other views are made of this one. Change them first.",
  },
  "pt-BR": {
    stale: "Alguém mudou esta visão enquanto isso. Veja-a de novo e salve.",
    view_used: "Outras visões são feitas desta. Altere-as primeiro.",
  },
};
