import type { Words } from "../../words/use-words.ts";

type Word =
  | "back"
  | "previous"
  | "next"
  | "more"
  | "edit"
  | "note"
  | "task"
  | "status"
  | "setStatus"
  | "changes"
  | "delete"
  | "deleted"
  | "restore"
  | "restored"
  | "erase"
  | "copyLink"
  | "nameless"
  | "noContact"
  | "readOnly"
  | "none"
  | "noneWhat"
  | "toList"
  | "deletedTitle"
  | "deletedWhat"
  | "merged"
  | "facts"
  | "timeline"
  | "eraseTitle"
  | "eraseWhat"
  | "eraseType"
  | "eraseBusy"
  | "eraseSuppress"
  | "eraseSuppressFor"
  | "erased"
  | "cancel"
  | "shownAs";

export const LEAD_WORDS: Words<Record<Word, string>> = {
  en: {
    back: "Back to list",
    previous: "Previous lead",
    next: "Next lead",
    more: "More actions",
    edit: "Edit name",
    note: "Write a note",
    task: "Add a task",
    status: "Change status",
    setStatus: "Status",
    changes: "Changes of this lead",
    delete: "Delete",
    deleted: "Lead deleted",
    restore: "Restore",
    restored: "Lead restored",
    erase: "Erase permanently…",
    copyLink: "Copy link",
    nameless: "Unnamed lead",
    noContact: "Do not contact",
    readOnly: "You need the Editor role to change this lead.",
    none: "Lead not found",
    noneWhat: "The link may be wrong, or the lead was erased permanently.",
    toList: "Go to leads",
    deletedTitle: "This lead was deleted",
    deletedWhat:
      "It no longer appears in lists, exports or counts. Restore it to bring it back with its timeline.",
    merged: "That lead was merged into this one.",
    facts: "Details",
    timeline: "Timeline",
    eraseTitle: "Erase this lead permanently?",
    eraseWhat:
      "This erases the lead, its timeline and everything merged into it, its rows in datasets, and the files of exports and of the imports that contain it. It cannot be undone, and History cannot bring it back.",
    eraseBusy:
      "An import that may contain this lead is running. Wait until it has ended, or cancel it, and erase again.",
    eraseSuppress: "Do not contact this person again",
    eraseSuppressFor:
      "The project keeps an unreadable mark of the e-mails and phones. A lead that comes back with one of them is marked “do not contact”.",
    eraseType: "To confirm, type",
    erased: "Lead erased",
    cancel: "Cancel",
    shownAs: "Show",
  },
  "pt-BR": {
    back: "Voltar à lista",
    previous: "Lead anterior",
    next: "Próximo lead",
    more: "Mais ações",
    edit: "Editar nome",
    note: "Escrever uma nota",
    task: "Adicionar uma tarefa",
    status: "Alterar status",
    setStatus: "Status",
    changes: "Alterações deste lead",
    delete: "Excluir",
    deleted: "Lead excluído",
    restore: "Restaurar",
    restored: "Lead restaurado",
    erase: "Apagar definitivamente…",
    copyLink: "Copiar link",
    nameless: "Lead sem nome",
    noContact: "Não contatar",
    readOnly: "Você precisa do papel de Editor para alterar este lead.",
    none: "Lead não encontrado",
    noneWhat: "O link pode estar errado, ou o lead foi apagado definitivamente.",
    toList: "Ir para os leads",
    deletedTitle: "Este lead foi excluído",
    deletedWhat:
      "Ele não aparece mais em listas, exportações nem contagens. Restaure-o para trazê-lo de volta com sua linha do tempo.",
    merged: "Aquele lead foi mesclado a este.",
    facts: "Dados",
    timeline: "Linha do tempo",
    eraseTitle: "Apagar este lead definitivamente?",
    eraseWhat:
      "Isto apaga o lead, sua linha do tempo e tudo o que foi mesclado a ele, suas linhas em conjuntos de dados e os arquivos das exportações e das importações que o contêm. Não é possível desfazer, nem pelo Histórico.",
    eraseBusy:
      "Uma importação que pode conter este lead está em andamento. Espere que ela termine, ou cancele-a, e apague de novo.",
    eraseSuppress: "Não contatar esta pessoa de novo",
    eraseSuppressFor:
      "O projeto guarda uma marca ilegível dos e-mails e telefones. Um lead que voltar com um deles é marcado como “não contatar”.",
    eraseType: "Para confirmar, digite",
    erased: "Lead apagado",
    cancel: "Cancelar",
    shownAs: "Mostrar",
  },
};

export const PLACE: Words<(place: string, of: string) => string> = {
  en: (place, of) => `${place} of ${of}`,
  "pt-BR": (place, of) => `${place} de ${of}`,
};
