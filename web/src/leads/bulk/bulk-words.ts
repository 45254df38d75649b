import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  status: "Status",
  owner: "Owner",
  nobody: "Nobody",
  addTags: "Add tags",
  removeTags: "Take tags away",
  tags: "Tags",
  remove: "Delete",
  clear: "Let go",
  setStatusTitle: "Set the status",
  setOwnerTitle: "Set the owner",
  newStatus: "New status",
  newOwner: "New owner",
  rehearsing: "Counting what would change…",
  bulk: "Change the chosen leads",
  undo: "Undo",
  undone: "It is as it was",
  cannotUndo: "This many cannot be taken back with one click. A deleted lead can be restored one by one.",
  canUndo: "You can undo it afterwards.",
  tooMany: "These are too many to rehearse. They are changed in the background; you can stop that.",
  cancel: "Cancel",
  stop: "Stop",
  stopped: "Stopped. What was changed stays.",
  jobFailed: "The change could not be finished.",
  progress: "Progress of the change",
};

const PORTUGUESE: typeof ENGLISH = {
  status: "Status",
  owner: "Responsável",
  nobody: "Ninguém",
  addTags: "Adicionar tags",
  removeTags: "Retirar tags",
  tags: "Tags",
  remove: "Excluir",
  clear: "Soltar",
  setStatusTitle: "Definir o status",
  setOwnerTitle: "Definir o responsável",
  newStatus: "Novo status",
  newOwner: "Novo responsável",
  rehearsing: "Contando o que mudaria…",
  bulk: "Alterar os leads escolhidos",
  undo: "Desfazer",
  undone: "Está como antes",
  cannotUndo: "Tantos não podem ser desfeitos com um clique. Um lead excluído pode ser restaurado um a um.",
  canUndo: "Você pode desfazer depois.",
  tooMany: "São leads demais para ensaiar. Eles são alterados em segundo plano; você pode parar.",
  cancel: "Cancelar",
  stop: "Parar",
  stopped: "Parado. O que mudou fica.",
  jobFailed: "A alteração não pôde ser concluída.",
  progress: "Andamento da alteração",
};

export const BULK_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

interface Sentences {
  chosen(count: string): string;
  allOf(count: string): string;
  deleteTitle(count: string): string;
  change(count: string): string;
  remove(count: string): string;
  wouldChange(changed: string): string;
  wouldDelete(changed: string): string;
  already(count: string): string;
  failing(count: string): string;
  changed(count: string): string;
  deleted(count: string): string;
  done(done: string, total: string): string;
}

const leads = (count: string) => `${count} ${count === "1" ? "lead" : "leads"}`;

/** Sentences with numbers in them, which come written. */
export const BULK_SENTENCES: Words<Sentences> = {
  en: {
    chosen: (count) => `${count} chosen`,
    allOf: (count) => `Choose all ${count} that match`,
    deleteTitle: (count) => `Delete ${leads(count)}?`,
    change: (count) => `Change ${leads(count)}`,
    remove: (count) => `Delete ${leads(count)}`,
    wouldChange: (changed) => `${leads(changed)} will change.`,
    wouldDelete: (changed) => `${leads(changed)} will be deleted.`,
    already: (count) => `${leads(count)} ${count === "1" ? "is" : "are"} so already.`,
    failing: (count) => `${leads(count)} cannot be changed.`,
    changed: (count) => `${leads(count)} changed`,
    deleted: (count) => `${leads(count)} deleted`,
    done: (done, total) => `${done} of ${total} leads`,
  },
  "pt-BR": {
    chosen: (count) => `${count} ${count === "1" ? "escolhido" : "escolhidos"}`,
    allOf: (count) => `Escolher todos os ${count} que correspondem`,
    deleteTitle: (count) => `Excluir ${leads(count)}?`,
    change: (count) => `Alterar ${leads(count)}`,
    remove: (count) => `Excluir ${leads(count)}`,
    wouldChange: (changed) => `${leads(changed)} ${changed === "1" ? "mudará" : "mudarão"}.`,
    wouldDelete: (changed) => `${leads(changed)} ${changed === "1" ? "será excluído" : "serão excluídos"}.`,
    already: (count) => `${leads(count)} já ${count === "1" ? "está" : "estão"} assim.`,
    failing: (count) => `${leads(count)} não ${count === "1" ? "pode" : "podem"} mudar.`,
    changed: (count) => `${leads(count)} ${count === "1" ? "alterado" : "alterados"}`,
    deleted: (count) => `${leads(count)} ${count === "1" ? "excluído" : "excluídos"}`,
    done: (done, total) => `${done} de ${total} leads`,
  },
};
