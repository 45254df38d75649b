import type { Words } from "../../words/use-words.ts";

interface ChangeWords
  extends Record<
    | "waits"
    | "nothingYet"
    | "review"
    | "yours"
    | "notOpened"
    | "declined"
    | "cancelled"
    | "nothing"
    | "rehearsed"
    | "wouldDo"
    | "inBackground"
    | "done"
    | "undone"
    | "stopped"
    | "wouldUndo"
    | "merged"
    | "savedView"
    | "openView"
    | "dataset"
    | "failures"
    | "mayMean"
    | "sample"
    | "nameless"
    | "fields"
    | "undoable"
    | "set",
    string
  > {
  would(count: string, total: number): string;
  leads(count: string, total: number): string;
  orMore(count: string): string;
  until(moment: string): string;
  more(count: string): string;
  item(number: string): string;
}

export const CHANGE_WORDS: Words<ChangeWords> = {
  en: {
    waits: "Waiting for your approval",
    nothingYet: "Nothing is changed yet.",
    review: "Review in Leadgate",
    yours: "Only you can approve or decline it, on a page of Leadgate.",
    notOpened: "The page could not be opened from here. Open this address in your browser:",
    declined: "You declined the change",
    cancelled: "The change was cancelled",
    nothing: "Nothing was changed.",
    rehearsed: "Dry run",
    wouldDo: "Nothing was changed. This is what the change would do.",
    inBackground: "The change runs in the background",
    done: "Changed",
    undone: "Undone",
    stopped: "Stopped. Changes made so far are kept.",
    wouldUndo: "Nothing was undone. This is what an undo would do.",
    merged: "Leads merged",
    savedView: "View saved",
    openView: "Open in Leadgate",
    dataset: "Dataset created",
    failures: "Not done",
    mayMean: "May be:",
    sample: "Examples",
    nameless: "Unnamed",
    fields: "Fields",
    undoable: "It can be undone, here or in the history of Leadgate.",
    set: "New values",
    would: (count, total) => `This would change ${count} ${total === 1 ? "record" : "records"}.`,
    leads: (count, total) => `${count} ${total === 1 ? "lead" : "leads"}`,
    orMore: (count) => `${count} or more`,
    until: (moment) => `Open until ${moment}.`,
    more: (count) => `${count} more are on the page in Leadgate.`,
    item: (number) => `No. ${number}`,
  },
  "pt-BR": {
    waits: "Aguardando sua aprovação",
    nothingYet: "Nada foi alterado ainda.",
    review: "Revisar no Leadgate",
    yours: "Só você pode aprovar ou recusar, em uma página do Leadgate.",
    notOpened: "Não foi possível abrir a página a partir daqui. Abra este endereço no navegador:",
    declined: "Você recusou a alteração",
    cancelled: "A alteração foi cancelada",
    nothing: "Nada foi alterado.",
    rehearsed: "Simulação",
    wouldDo: "Nada foi alterado. Isto é o que a alteração faria.",
    inBackground: "A alteração está em andamento",
    done: "Alterado",
    undone: "Desfeito",
    stopped: "Parado. As alterações já feitas são mantidas.",
    wouldUndo: "Nada foi desfeito. Isto é o que seria desfeito.",
    merged: "Leads mesclados",
    savedView: "Visão salva",
    openView: "Abrir no Leadgate",
    dataset: "Conjunto de dados criado",
    failures: "Não realizado",
    mayMean: "Pode ser:",
    sample: "Exemplos",
    nameless: "Sem nome",
    fields: "Campos",
    undoable: "É possível desfazer, aqui ou no Histórico do Leadgate.",
    set: "Novos valores",
    would: (count, total) => `Isto alteraria ${count} ${total === 1 ? "registro" : "registros"}.`,
    leads: (count, total) => `${count} ${total === 1 ? "lead" : "leads"}`,
    orMore: (count) => `${count} ou mais`,
    until: (moment) => `Disponível até ${moment}.`,
    more: (count) => `Mais ${count} estão na página no Leadgate.`,
    item: (number) => `N.º ${number}`,
  },
};

/** What would happen to records. */
export const PLANNED: Words<Readonly<Record<string, string>>> = {
  en: {
    ...{ matched: "Found", created: "Create", updated: "Change", unchanged: "Unchanged" },
    ...{ failed: "Not possible", deleted: "Delete", restored: "Restore", merged: "Merge" },
    ...{ recorded: "Add events", withdrawn: "Withdraw events", kept: "Keep", put_back: "Put back" },
    merged_into: "Becomes part of the other one",
  },
  "pt-BR": {
    ...{ matched: "Encontrados", created: "Criar", updated: "Alterar", unchanged: "Sem alteração" },
    ...{ failed: "Não é possível", deleted: "Excluir", restored: "Restaurar", merged: "Mesclar" },
    ...{ recorded: "Registrar eventos", withdrawn: "Retirar eventos", kept: "Manter" },
    ...{ put_back: "Desfazer", merged_into: "Passa a fazer parte do outro" },
  },
};

/** What happened to records, by the words of answers. */
export const OUTCOMES: Words<Readonly<Record<string, string>>> = {
  en: {
    ...{
      matched: "Found",
      created: "Created",
      updated: "Changed",
      unchanged: "Unchanged",
      failed: "Not done",
    },
    ...{ deleted: "Deleted", restored: "Restored", merged: "Merged", recorded: "Recorded" },
    ...{ withdrawn: "Withdrawn", kept: "Kept", put_back: "Put back", skipped: "Skipped" },
  },
  "pt-BR": {
    ...{
      matched: "Encontrados",
      created: "Criados",
      updated: "Alterados",
      unchanged: "Sem alteração",
      failed: "Não realizados",
    },
    ...{ deleted: "Excluídos", restored: "Restaurados", merged: "Mesclados", recorded: "Registrados" },
    ...{ withdrawn: "Retirados", kept: "Mantidos", put_back: "Desfeitos", skipped: "Ignorados" },
  },
};

/** What happened to one record, besides what History has words for. */
export const ALSO_DONE: Words<Readonly<Record<string, string>>> = {
  en: { put_back: "Put back", unchanged: "Unchanged" },
  "pt-BR": { put_back: "Desfeito", unchanged: "Sem alteração" },
};
