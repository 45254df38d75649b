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
  removeUndo(days: number): string;
}

export const FORM_WORDS: Words<FormWords> = {
  en: {
    create: "New field",
    change: (label) => `Edit “${label}”`,
    label: "Label",
    labelHint: "For example, “Contract end”",
    key: "Key",
    keyWhat: "Used as custom.key in the API, imports and filters. It cannot be changed later.",
    keyTaken: "Another field already uses this key.",
    keyBad: "Start with a letter, then use lowercase letters a–z, digits and _.",
    keyKept: "The key cannot be changed.",
    type: "Type",
    typeWhat:
      "If any existing value does not fit the new type, nothing is changed and those leads are listed.",
    options: "Options",
    optionsWhat: "Press Enter to add an option. Up to 200 characters each.",
    description: "Description",
    descriptionWhat: "Optional. Shown to colleagues and AI assistants.",
    timeline: "Show changes on timelines",
    timelineWhat: "Turn this off if a program updates the field often.",
    indexed: "Index",
    indexedWhat: "Makes range and equality filters fast with many leads. Writes become slightly slower.",
    cancel: "Cancel",
    add: "Add field",
    save: "Save",
    created: "Field added",
    saved: "Field saved",
    removed: "Field deleted",
    removeTitle: (label) => `Delete “${label}”?`,
    removeWhat: "The field is removed from tables, filters and imports. Its history stays on the timelines.",
    removeUndo: (days) =>
      `History keeps this for ${days} days. Until then you can undo it, and the field comes back with its values.`,
    counting: "Counting leads with a value…",
    unused: "No lead has a value in this field.",
    used: (count, written) =>
      count === 1
        ? "One lead has a value, which will be deleted."
        : `${written} leads have a value, which will be deleted.`,
    views: "These saved views use the field and will not work until you edit them:",
    remove: "Delete field",
    lost: "I understand that these values will be deleted",
    unfit: "Nothing was changed",
    unfitWhat: "Some leads have values that do not fit. Correct them first or create another field.",
  },
  "pt-BR": {
    create: "Novo campo",
    change: (label) => `Editar “${label}”`,
    label: "Rótulo",
    labelHint: "Por exemplo, “Fim do contrato”",
    key: "Chave",
    keyWhat: "Usada como custom.chave na API, nas importações e nos filtros. Não pode ser alterada depois.",
    keyTaken: "Outro campo já usa esta chave.",
    keyBad: "Comece com uma letra e use só letras minúsculas a–z, dígitos e _.",
    keyKept: "A chave não pode ser alterada.",
    type: "Tipo",
    typeWhat:
      "Se algum valor existente for incompatível com o novo tipo, nada é alterado e os leads são listados.",
    options: "Opções",
    optionsWhat: "Pressione Enter para adicionar uma opção. Até 200 caracteres cada.",
    description: "Descrição",
    descriptionWhat: "Opcional. Visível para colegas e assistentes de IA.",
    timeline: "Mostrar alterações nas linhas do tempo",
    timelineWhat: "Desative se um programa atualiza o campo com frequência.",
    indexed: "Indexar",
    indexedWhat:
      "Torna rápidos os filtros por intervalo e por igualdade com muitos leads. Gravações ficam um pouco mais lentas.",
    cancel: "Cancelar",
    add: "Adicionar campo",
    save: "Salvar",
    created: "Campo adicionado",
    saved: "Campo salvo",
    removed: "Campo excluído",
    removeTitle: (label) => `Excluir “${label}”?`,
    removeWhat:
      "O campo é removido das tabelas, dos filtros e das importações. O histórico fica nas linhas do tempo.",
    removeUndo: (days) =>
      `O Histórico guarda isto por ${days} dias. Até lá você pode desfazer, e o campo volta com seus valores.`,
    counting: "Contando leads com um valor…",
    unused: "Nenhum lead tem valor neste campo.",
    used: (count, written) =>
      count === 1
        ? "Um lead tem um valor, que será excluído."
        : `${written} leads têm um valor, que será excluído.`,
    views: "Estas visões salvas usam o campo e não funcionarão até serem editadas:",
    remove: "Excluir campo",
    lost: "Entendo que estes valores serão excluídos",
    unfit: "Nada foi alterado",
    unfitWhat: "Alguns leads têm valores incompatíveis. Corrija-os primeiro ou crie outro campo.",
  },
};

/** Texts of refusals on this screen, by code. */
export const REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: {},
  "pt-BR": {
    too_many_fields: "O projeto atingiu o limite de campos personalizados.",
    field_exists: "Já existe um campo com esta chave.",
    too_many_values: "Há valores demais para alterar. Crie outro campo.",
    field_used: "O campo está em uso. Recarregue a página e tente de novo.",
    values_do_not_fit: "Há leads com valores incompatíveis.",
  },
};
