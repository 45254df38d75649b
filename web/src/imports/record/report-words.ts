import type { RowOutcome } from "../../../../src/contract/lists/outcomes.ts";
import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  undoCounts: (deleted: string, restored: string, left: string) =>
    `${deleted} deleted, ${restored} restored, ${left} kept`,
  waiting: "Starting shortly…",
  running: "Rows counted so far are saved. You can close this page; the import continues.",
  undoing: "Undoing the import. You can close this page; it continues.",
  of: (done: string, total: string) => `${done} of ${total} rows`,
  progress: "Import progress",
  cancel: "Cancel import",
  cancelTitle: "Cancel this import?",
  cancelWhat:
    "Rows counted so far are kept, and no more are written. You can resume or undo the import later.",
  goOn: "Resume import",
  goOnWhat: "Continues after the last counted row.",
  neverBegan: "Cancelled before anything was written.",
  stopped: "The import failed",
  files: "Files",
  filesGone: "The file and these lists have expired.",
  errorsFile: "Failed rows with reasons",
  successFile: "Successful rows",
  restFile: "Unprocessed rows",
  csv: "CSV",
  see: "View leads",
  seeRows: "View dataset",
  undo: "Undo import",
  undoTitle: "Undo this import?",
  undoNew: (count: string) => `${count} created by the import will be deleted.`,
  undoOld: (count: string) => `Up to ${count} changed by the import will get their previous values back.`,
  undoKept:
    "Anything changed since then, and every opt-out, is kept and listed here afterwards. To clear opt-outs, too, undo the change in History.",
  undoUntil: (day: string) => `You can undo this import until ${day}.`,
  kept: "Kept by the undo",
  reasons: {
    changed: "changed since the import",
    has_events: "has newer events",
    merged: "was merged",
    does_not_fit: "its old values no longer fit the columns",
    gone: "no longer exists",
    opt_out: "keeps its opt-out",
  },
  more: "Show more",
  counts: "Import results",
  sum: "rows read",
  failed: "Failed rows",
};

const PORTUGUESE: typeof ENGLISH = {
  undoCounts: (deleted, restored, left) => `${deleted} excluídos, ${restored} restaurados, ${left} mantidos`,
  waiting: "Começa em instantes…",
  running:
    "As linhas contadas até agora já foram salvas. Você pode fechar esta página; a importação continua.",
  undoing: "Desfazendo a importação. Você pode fechar esta página; o processo continua.",
  of: (done, total) => `${done} de ${total} linhas`,
  progress: "Progresso da importação",
  cancel: "Cancelar importação",
  cancelTitle: "Cancelar esta importação?",
  cancelWhat:
    "As linhas contadas até agora são mantidas, e nenhuma outra é gravada. Você pode retomar ou desfazer a importação depois.",
  goOn: "Retomar importação",
  goOnWhat: "Continua depois da última linha contada.",
  neverBegan: "Cancelada antes que algo fosse gravado.",
  stopped: "A importação falhou",
  files: "Arquivos",
  filesGone: "O arquivo e estas listas expiraram.",
  errorsFile: "Linhas com falha e seus motivos",
  successFile: "Linhas bem-sucedidas",
  restFile: "Linhas não processadas",
  csv: "CSV",
  see: "Ver leads",
  seeRows: "Ver conjunto de dados",
  undo: "Desfazer importação",
  undoTitle: "Desfazer esta importação?",
  undoNew: (count) => `${count} criados pela importação serão excluídos.`,
  undoOld: (count) => `Até ${count} alterados pela importação voltarão aos valores anteriores.`,
  undoKept:
    "O que foi alterado desde então e todos os opt-outs são mantidos e listados aqui depois. Para remover também os opt-outs, desfaça a alteração no Histórico.",
  undoUntil: (day) => `Você pode desfazer esta importação até ${day}.`,
  kept: "Mantidos ao desfazer",
  reasons: {
    changed: "alterado depois da importação",
    has_events: "tem eventos mais recentes",
    merged: "foi mesclado",
    does_not_fit: "os valores anteriores não cabem mais nas colunas",
    gone: "não existe mais",
    opt_out: "mantém o opt-out",
  },
  more: "Mostrar mais",
  counts: "Resultado da importação",
  sum: "linhas lidas",
  failed: "Linhas com falha",
};

export const REPORT_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };

/** Names of the row counts. */
export const COUNT_NAMES: Words<Record<RowOutcome, string>> = {
  en: {
    created: "created",
    updated: "updated",
    unchanged: "unchanged",
    skipped: "skipped",
    failed: "failed",
  },
  "pt-BR": {
    created: "criadas",
    updated: "atualizadas",
    unchanged: "sem alteração",
    skipped: "ignoradas",
    failed: "com falha",
  },
};
