import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  status: "Status",
  owner: "Owner",
  nobody: "Nobody",
  addTags: "Add tags",
  removeTags: "Remove tags",
  tags: "Tags",
  editField: "Edit a field",
  field: "Field",
  noField: "No field has this name",
  standard: "Standard fields",
  own: "Custom fields",
  empty: "Empty the field",
  remove: "Delete",
  restore: "Restore",
  clear: "Clear selection",
  setStatusTitle: "Set status",
  setOwnerTitle: "Set owner",
  newStatus: "New status",
  newOwner: "New owner",
  rehearsing: "Checking what will change…",
  bulk: "Change selected leads",
  canUndo: "You can undo this afterwards.",
  tooMany: "There are too many leads for a preview. They are changed in the background; you can stop this.",
  cancel: "Cancel",
  stop: "Stop",
  stopped: "Stopped. Changes made so far are kept.",
  jobFailed: "The change could not be completed.",
  progress: "Progress of the change",
};

const PORTUGUESE: typeof ENGLISH = {
  status: "Status",
  owner: "Responsável",
  nobody: "Ninguém",
  addTags: "Adicionar tags",
  removeTags: "Remover tags",
  tags: "Tags",
  editField: "Editar um campo",
  field: "Campo",
  noField: "Nenhum campo tem este nome",
  standard: "Campos padrão",
  own: "Campos personalizados",
  empty: "Esvaziar o campo",
  remove: "Excluir",
  restore: "Restaurar",
  clear: "Limpar seleção",
  setStatusTitle: "Definir status",
  setOwnerTitle: "Definir responsável",
  newStatus: "Novo status",
  newOwner: "Novo responsável",
  rehearsing: "Verificando o que vai mudar…",
  bulk: "Alterar leads selecionados",
  canUndo: "Você pode desfazer depois.",
  tooMany: "São leads demais para uma prévia. Eles serão alterados em segundo plano; você pode parar.",
  cancel: "Cancelar",
  stop: "Parar",
  stopped: "Parado. As alterações já feitas são mantidas.",
  jobFailed: "Não foi possível concluir a alteração.",
  progress: "Andamento da alteração",
};

export const BULK_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

interface Sentences {
  chosen(count: string): string;
  allOf(count: string): string;
  deleteTitle(count: string): string;
  restoreTitle(count: string): string;
  change(count: string): string;
  remove(count: string): string;
  restore(count: string): string;
  wouldChange(changed: string): string;
  wouldDelete(changed: string): string;
  wouldRestore(changed: string): string;
  already(count: string): string;
  failing(count: string): string;
  changed(count: string): string;
  deleted(count: string): string;
  restored(count: string): string;
  notChanged(count: string): string;
  done(done: string, total: string): string;
}

const leads = (count: string) => `${count} ${count === "1" ? "lead" : "leads"}`;

/** Sentences with numbers, which are passed formatted. */
export const BULK_SENTENCES: Words<Sentences> = {
  en: {
    chosen: (count) => `${count} selected`,
    allOf: (count) => `Select all ${count} matching leads`,
    deleteTitle: (count) => `Delete ${leads(count)}?`,
    restoreTitle: (count) => `Restore ${leads(count)}?`,
    change: (count) => `Change ${leads(count)}`,
    remove: (count) => `Delete ${leads(count)}`,
    restore: (count) => `Restore ${leads(count)}`,
    wouldChange: (changed) => `${leads(changed)} will change.`,
    wouldDelete: (changed) => `${leads(changed)} will be deleted.`,
    wouldRestore: (changed) => `${leads(changed)} will be restored.`,
    already: (count) => `${leads(count)} will stay unchanged.`,
    failing: (count) => `${leads(count)} cannot be changed.`,
    changed: (count) => `${leads(count)} changed`,
    deleted: (count) => `${leads(count)} deleted`,
    restored: (count) => `${leads(count)} restored`,
    notChanged: (count) => `${leads(count)} could not be changed`,
    done: (done, total) => `${done} of ${total} leads`,
  },
  "pt-BR": {
    chosen: (count) => `${count} ${count === "1" ? "selecionado" : "selecionados"}`,
    allOf: (count) => `Selecionar todos os ${count} leads encontrados`,
    deleteTitle: (count) => `Excluir ${leads(count)}?`,
    restoreTitle: (count) => `Restaurar ${leads(count)}?`,
    change: (count) => `Alterar ${leads(count)}`,
    remove: (count) => `Excluir ${leads(count)}`,
    restore: (count) => `Restaurar ${leads(count)}`,
    wouldChange: (changed) => `${leads(changed)} ${changed === "1" ? "mudará" : "mudarão"}.`,
    wouldDelete: (changed) => `${leads(changed)} ${changed === "1" ? "será excluído" : "serão excluídos"}.`,
    wouldRestore: (changed) =>
      `${leads(changed)} ${changed === "1" ? "será restaurado" : "serão restaurados"}.`,
    already: (count) => `${leads(count)} ${count === "1" ? "continuará" : "continuarão"} sem alteração.`,
    failing: (count) => `${leads(count)} não ${count === "1" ? "pode ser alterado" : "podem ser alterados"}.`,
    changed: (count) => `${leads(count)} ${count === "1" ? "alterado" : "alterados"}`,
    deleted: (count) => `${leads(count)} ${count === "1" ? "excluído" : "excluídos"}`,
    restored: (count) => `${leads(count)} ${count === "1" ? "restaurado" : "restaurados"}`,
    notChanged: (count) =>
      `${leads(count)} não ${count === "1" ? "pôde ser alterado" : "puderam ser alterados"}`,
    done: (done, total) => `${done} de ${total} leads`,
  },
};

/** What a bulk change did, in words. */
export const outcomeOf = (say: Sentences, op: string | null | undefined, count: string): string =>
  op === "delete" ? say.deleted(count) : op === "restore" ? say.restored(count) : say.changed(count);
