import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  views: "Views",
  all: "All leads",
  deleted: "Deleted",
  changed: "changed",
  save: "Save as view",
  saveWhat: "Saves the filter, search, order and columns. Everyone in the project can see it.",
  update: "Save changes",
  discard: "Discard changes",
  rename: "Rename",
  remove: "Delete",
  more: "Options for view",
  name: "Name",
  cancel: "Cancel",
  saved: "View saved",
  updated: "View updated",
  renamed: "View renamed",
  removed: "View deleted",
  removeTitle: "Delete this view?",
  removeWhat: "It is deleted for everyone in the project. No leads are deleted.",
};

const PORTUGUESE: typeof ENGLISH = {
  views: "Visões",
  all: "Todos os leads",
  deleted: "Excluídos",
  changed: "alterada",
  save: "Salvar como visão",
  saveWhat: "Guarda filtro, busca, ordem e colunas. Todos no projeto podem ver.",
  update: "Salvar alterações",
  discard: "Descartar alterações",
  rename: "Renomear",
  remove: "Excluir",
  more: "Opções da visão",
  name: "Nome",
  cancel: "Cancelar",
  saved: "Visão salva",
  updated: "Visão atualizada",
  renamed: "Visão renomeada",
  removed: "Visão excluída",
  removeTitle: "Excluir esta visão?",
  removeWhat: "Ela é excluída para todos no projeto. Nenhum lead é excluído.",
};

export const VIEW_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

export const VIEW_REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: {
    stale: "Someone else changed this view in the meantime. Check it, then save again.",
    view_used: "Other views use this one. Change them first.",
  },
  "pt-BR": {
    stale: "Outra pessoa alterou esta visão nesse meio-tempo. Confira e salve de novo.",
    view_used: "Outras visões usam esta. Altere-as primeiro.",
  },
};
