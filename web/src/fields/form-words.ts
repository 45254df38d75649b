import type { Words } from "../words/use-words.ts";

interface FormWords
  extends Record<
    | "create"
    | "label"
    | "labelHint"
    | "key"
    | "keyWhat"
    | "keyTaken"
    | "keyBad"
    | "keyKept"
    | "type"
    | "typeWhat"
    | "options"
    | "optionsWhat"
    | "description"
    | "descriptionWhat"
    | "timeline"
    | "timelineWhat"
    | "indexed"
    | "indexedWhat"
    | "cancel"
    | "add"
    | "save"
    | "created"
    | "saved"
    | "removed"
    | "removeWhat"
    | "counting"
    | "unused"
    | "views"
    | "remove"
    | "lost"
    | "unfit"
    | "unfitWhat",
    string
  > {
  change(label: string): string;
  removeTitle(label: string): string;
  used(count: number, written: string): string;
}

export const FORM_WORDS: Words<FormWords> = {
  en: {
    create: "New field",
    change: (label) => `Change “${label}”`,
    label: "Label",
    labelHint: "Such as “Contract end”",
    key: "Key",
    keyWhat: "For the API, imports and filters: custom.key. It never changes.",
    keyTaken: "There is a field of this key already.",
    keyBad: "Small letters a–z, digits and _; a letter first.",
    keyKept: "A key never changes.",
    type: "Holds",
    typeWhat: "All values that leads have must fit; else nothing changes and you are told which do not.",
    options: "Choices",
    optionsWhat: "Enter ends one. Each at most 200 letters.",
    description: "What it means",
    descriptionWhat: "For colleagues and assistants; may stay empty.",
    timeline: "Tell its changes on timelines",
    timelineWhat: "Turn it off where a program writes often.",
    indexed: "Index",
    indexedWhat: "Makes ranges and equal numbers fast among many leads; each write costs a little more.",
    cancel: "Cancel",
    add: "Add field",
    save: "Save",
    created: "Field added",
    saved: "Field saved",
    removed: "Field deleted",
    removeTitle: (label) => `Delete “${label}”?`,
    removeWhat:
      "It goes from tables, filters and imports to choose from. Its history stays on the timelines.",
    counting: "Looking how many leads have a value…",
    unused: "No lead has a value of it.",
    used: (count, written) =>
      count === 1
        ? "One lead has a value, which goes too. This cannot be undone."
        : `${written} leads have a value, which go too. This cannot be undone.`,
    views: "These saved views name it, and do not work until they are changed:",
    remove: "Delete field",
    lost: "I know that these values are lost",
    unfit: "Nothing was changed",
    unfitWhat: "Values of these leads do not fit. Change them first, or make another field.",
  },
  "pt-BR": {
    create: "Novo campo",
    change: (label) => `Alterar “${label}”`,
    label: "Rótulo",
    labelHint: "Como “Fim do contrato”",
    key: "Chave",
    keyWhat: "Para a API, importações e filtros: custom.chave. Ela nunca muda.",
    keyTaken: "Já existe um campo com esta chave.",
    keyBad: "Letras minúsculas a–z, dígitos e _; uma letra primeiro.",
    keyKept: "Uma chave nunca muda.",
    type: "Contém",
    typeWhat:
      "Todos os valores dos leads precisam servir; senão nada muda e você fica sabendo quais não servem.",
    options: "Opções",
    optionsWhat: "Enter conclui uma. Cada uma com até 200 letras.",
    description: "O que significa",
    descriptionWhat: "Para colegas e assistentes; pode ficar vazio.",
    timeline: "Contar suas alterações nas linhas do tempo",
    timelineWhat: "Desligue onde um programa grava com frequência.",
    indexed: "Indexar",
    indexedWhat:
      "Torna rápidos intervalos e números iguais entre muitos leads; cada gravação custa um pouco mais.",
    cancel: "Cancelar",
    add: "Adicionar campo",
    save: "Salvar",
    created: "Campo adicionado",
    saved: "Campo salvo",
    removed: "Campo excluído",
    removeTitle: (label) => `Excluir “${label}”?`,
    removeWhat: "Ele sai das tabelas, dos filtros e das importações. Seu histórico fica nas linhas do tempo.",
    counting: "Vendo quantos leads têm um valor…",
    unused: "Nenhum lead tem um valor dele.",
    used: (count, written) =>
      count === 1
        ? "Um lead tem um valor, que também some. Isto não pode ser desfeito."
        : `${written} leads têm um valor, que também somem. Isto não pode ser desfeito.`,
    views: "Estas visões salvas citam o campo e não funcionam até serem alteradas:",
    remove: "Excluir campo",
    lost: "Sei que estes valores se perdem",
    unfit: "Nada foi alterado",
    unfitWhat: "Valores destes leads não servem. Altere-os antes ou crie outro campo.",
  },
};

/** What the service's refusals mean here. */
export const REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: {},
  "pt-BR": {
    too_many_fields: "O projeto já tem todos os campos próprios que pode ter.",
    field_exists: "Já existe um campo com esta chave.",
    too_many_values: "Valores demais teriam de mudar. Crie outro campo.",
    field_used: "O campo está em uso. Recarregue e tente de novo.",
    values_do_not_fit: "Há leads com um valor que não serve.",
  },
};
