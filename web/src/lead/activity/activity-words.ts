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
  | "undo"
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
  | "undoMerge"
  | "showAll"
  | "fold";

export const ACTIVITY_WORDS: Words<Record<Word, string>> = {
  en: {
    timeline: "Timeline",
    note: "Note",
    task: "Task",
    notePlace: "Write a note",
    noteKey: "Ctrl+Enter adds it",
    addNote: "Add the note",
    noteAdded: "Note added",
    taskWhat: "What is to be done",
    due: "Due",
    addTask: "Add the task",
    taskAdded: "Task added",
    tasks: "Open tasks",
    done: "Done",
    overdue: "overdue",
    taskDone: "Task done",
    taskOpen: "Task open again",
    undo: "Undo",
    finished: "Done tasks",
    noDue: "No due date",
    filter: "Filter",
    types: "Kinds of events",
    allTypes: "All kinds",
    through: "Through",
    by: "By",
    anything: "Anything",
    anybody: "Anybody",
    since: "From",
    until: "Until before",
    clear: "Clear the filter",
    today: "Today",
    yesterday: "Yesterday",
    empty: "Nothing has happened yet",
    emptyWhat: "Write a note or add a task. What connected systems see of this lead appears here, too.",
    nothing: "Nothing of that kind",
    nothingWhat: "Nothing on this timeline fits the filter.",
    more: "Show earlier",
    end: "That is the whole story.",
    details: "Details",
    fromMerged: "from a merged lead",
    undoMerge: "Undo the merge",
    showAll: "Show all",
    fold: "Fold",
  },
  "pt-BR": {
    timeline: "Linha do tempo",
    note: "Nota",
    task: "Tarefa",
    notePlace: "Escreva uma nota",
    noteKey: "Ctrl+Enter adiciona",
    addNote: "Adicionar a nota",
    noteAdded: "Nota adicionada",
    taskWhat: "O que deve ser feito",
    due: "Prazo",
    addTask: "Adicionar a tarefa",
    taskAdded: "Tarefa adicionada",
    tasks: "Tarefas abertas",
    done: "Concluída",
    overdue: "atrasada",
    taskDone: "Tarefa concluída",
    taskOpen: "Tarefa reaberta",
    undo: "Desfazer",
    finished: "Tarefas concluídas",
    noDue: "Sem prazo",
    filter: "Filtrar",
    types: "Tipos de eventos",
    allTypes: "Todos os tipos",
    through: "Por meio de",
    by: "Por",
    anything: "Qualquer meio",
    anybody: "Qualquer pessoa",
    since: "De",
    until: "Até antes de",
    clear: "Limpar o filtro",
    today: "Hoje",
    yesterday: "Ontem",
    empty: "Nada aconteceu ainda",
    emptyWhat:
      "Escreva uma nota ou adicione uma tarefa. O que os sistemas conectados veem deste lead também aparece aqui.",
    nothing: "Nada desse tipo",
    nothingWhat: "Nada nesta linha do tempo corresponde ao filtro.",
    more: "Mostrar anteriores",
    end: "Esta é a história inteira.",
    details: "Detalhes",
    fromMerged: "de um lead mesclado",
    undoMerge: "Desfazer a mesclagem",
    showAll: "Mostrar todos",
    fold: "Recolher",
  },
};

/** Titles of several things at once. */
export const BURSTS: Words<{ changed(count: number): string; times(what: string, count: number): string }> = {
  en: {
    changed: (count) => `${count} fields changed`,
    times: (what, count) => `${what}, ${count} times`,
  },
  "pt-BR": {
    changed: (count) => `${count} campos alterados`,
    times: (what, count) => `${what}, ${count} vezes`,
  },
};

export const FIELD_CHANGED: Words<(field: string) => string> = {
  en: (field) => `${field} changed`,
  "pt-BR": (field) => `${field}: alteração`,
};
