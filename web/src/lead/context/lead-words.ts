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
  | "delete"
  | "deleted"
  | "restore"
  | "restored"
  | "erase"
  | "undo"
  | "copyLink"
  | "copied"
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
  | "erased"
  | "cancel"
  | "shownAs";

export const LEAD_WORDS: Words<Record<Word, string>> = {
  en: {
    back: "Back to the list",
    previous: "Previous lead",
    next: "Next lead",
    more: "More for this lead",
    edit: "Edit the name",
    note: "Write a note",
    task: "Add a task",
    status: "Change the status",
    setStatus: "Status",
    delete: "Delete",
    deleted: "Lead deleted",
    restore: "Restore",
    restored: "Lead restored",
    erase: "Erase for good…",
    undo: "Undo",
    copyLink: "Copy the link",
    copied: "Link copied",
    nameless: "Lead without a name",
    noContact: "Do not contact",
    readOnly: "Your role lets you see this lead. Editors and above can change it.",
    none: "There is no such lead",
    noneWhat: "The address may be mistyped, or the lead was erased for good.",
    toList: "To the leads",
    deletedTitle: "This lead was deleted",
    deletedWhat: "It is in no list, export or count. Restoring brings it back with its timeline.",
    merged: "That lead was merged into this one.",
    facts: "Facts",
    timeline: "Timeline",
    eraseTitle: "Erase this lead for good?",
    eraseWhat:
      "The lead, its timeline and everything that was merged into it are gone, and so are the files of exports. Nobody can bring them back.",
    eraseType: "To confirm, type",
    erased: "Lead erased",
    cancel: "Cancel",
    shownAs: "Show",
  },
  "pt-BR": {
    back: "Voltar para a lista",
    previous: "Lead anterior",
    next: "Próximo lead",
    more: "Mais opções deste lead",
    edit: "Editar o nome",
    note: "Escrever uma nota",
    task: "Adicionar uma tarefa",
    status: "Mudar o status",
    setStatus: "Status",
    delete: "Excluir",
    deleted: "Lead excluído",
    restore: "Restaurar",
    restored: "Lead restaurado",
    erase: "Apagar para sempre…",
    undo: "Desfazer",
    copyLink: "Copiar o link",
    copied: "Link copiado",
    nameless: "Lead sem nome",
    noContact: "Não contatar",
    readOnly: "Seu papel permite ver este lead. Editores e acima podem alterá-lo.",
    none: "Este lead não existe",
    noneWhat: "O endereço pode estar errado, ou o lead foi apagado para sempre.",
    toList: "Ir para os leads",
    deletedTitle: "Este lead foi excluído",
    deletedWhat:
      "Ele não está em nenhuma lista, exportação ou contagem. Restaurar o traz de volta com sua linha do tempo.",
    merged: "Aquele lead foi mesclado a este.",
    facts: "Dados",
    timeline: "Linha do tempo",
    eraseTitle: "Apagar este lead para sempre?",
    eraseWhat:
      "O lead, sua linha do tempo e tudo o que foi mesclado a ele desaparecem, assim como os arquivos de exportações. Ninguém pode trazê-los de volta.",
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
