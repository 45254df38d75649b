import type { Words } from "../../words/use-words.ts";

type Word =
  | "timeline"
  | "note"
  | "task"
  | "notePlace"
  | "noteKey"
  | "addNote"
  | "noteAdded"
  | "taskWhat"
  | "due"
  | "addTask"
  | "taskAdded"
  | "tasks"
  | "done"
  | "overdue"
  | "taskDone"
  | "taskOpen"
  | "finished"
  | "noDue"
  | "filter"
  | "types"
  | "allTypes"
  | "through"
  | "by"
  | "anything"
  | "anybody"
  | "since"
  | "until"
  | "clear"
  | "today"
  | "yesterday"
  | "empty"
  | "emptyWhat"
  | "nothing"
  | "nothingWhat"
  | "more"
  | "end"
  | "details"
  | "fromMerged"
  | "change"
  | "undoMerge"
  | "reason"
  | "showAll"
  | "fold";

export const ACTIVITY_WORDS: Words<Record<Word, string>> = {
  en: {
    timeline: "Timeline",
    note: "Note",
    task: "Task",
    notePlace: "Write a note",
    noteKey: "Ctrl+Enter to add",
    addNote: "Add note",
    noteAdded: "Note added",
    taskWhat: "What needs to be done",
    due: "Due",
    addTask: "Add task",
    taskAdded: "Task added",
    tasks: "Open tasks",
    done: "Done",
    overdue: "overdue",
    taskDone: "Task completed",
    taskOpen: "Task reopened",
    finished: "Completed tasks",
    noDue: "No due date",
    filter: "Filter",
    types: "Event types",
    allTypes: "All types",
    through: "Source",
    by: "By",
    anything: "Any source",
    anybody: "Anyone",
    since: "From",
    until: "Before",
    clear: "Clear filter",
    today: "Today",
    yesterday: "Yesterday",
    empty: "No activity yet",
    emptyWhat: "Write a note or add a task. Events from connected systems appear here too.",
    nothing: "No events found",
    nothingWhat: "Clear the filter to see the whole timeline.",
    more: "Show earlier",
    end: "No earlier events.",
    details: "Details",
    change: "See change",
    fromMerged: "from a merged lead",
    undoMerge: "Undo merge",
    reason: "Reason",
    showAll: "Show all",
    fold: "Collapse",
  },
  "pt-BR": {
    timeline: "Linha do tempo",
    note: "Nota",
    task: "Tarefa",
    notePlace: "Escreva uma nota",
    noteKey: "Ctrl+Enter para adicionar",
    addNote: "Adicionar nota",
    noteAdded: "Nota adicionada",
    taskWhat: "O que precisa ser feito",
    due: "Prazo",
    addTask: "Adicionar tarefa",
    taskAdded: "Tarefa adicionada",
    tasks: "Tarefas abertas",
    done: "Concluída",
    overdue: "atrasada",
    taskDone: "Tarefa concluída",
    taskOpen: "Tarefa reaberta",
    finished: "Tarefas concluídas",
    noDue: "Sem prazo",
    filter: "Filtrar",
    types: "Tipos de evento",
    allTypes: "Todos os tipos",
    through: "Origem",
    by: "Por",
    anything: "Qualquer origem",
    anybody: "Qualquer pessoa",
    since: "De",
    until: "Antes de",
    clear: "Limpar filtro",
    today: "Hoje",
    yesterday: "Ontem",
    empty: "Nenhuma atividade ainda",
    emptyWhat:
      "Escreva uma nota ou adicione uma tarefa. Eventos de sistemas conectados também aparecem aqui.",
    nothing: "Nenhum evento encontrado",
    nothingWhat: "Limpe o filtro para ver toda a linha do tempo.",
    more: "Mostrar anteriores",
    end: "Não há eventos anteriores.",
    details: "Detalhes",
    change: "Ver alteração",
    fromMerged: "de um lead mesclado",
    undoMerge: "Desfazer mesclagem",
    reason: "Motivo",
    showAll: "Mostrar todos",
    fold: "Recolher",
  },
};

/** Titles of several events at once. */
export const BURSTS: Words<{ changed(count: number): string; times(what: string, count: number): string }> = {
  en: {
    changed: (count) => `${count} ${count === 1 ? "field" : "fields"} changed`,
    times: (what, count) => `${what}, ${count} times`,
  },
  "pt-BR": {
    changed: (count) => `${count} ${count === 1 ? "campo alterado" : "campos alterados"}`,
    times: (what, count) => `${what}, ${count} vezes`,
  },
};

export const FIELD_CHANGED: Words<(field: string) => string> = {
  en: (field) => `${field} changed`,
  "pt-BR": (field) => `Alteração em ${field}`,
};
