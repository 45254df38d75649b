import type { Words } from "../words/use-words.ts";

type Word =
  | "title"
  | "lead"
  | "by"
  | "email"
  | "phone"
  | "name_and_company"
  | "none"
  | "noneWhat"
  | "import"
  | "readOnly"
  | "keep"
  | "compare"
  | "merge"
  | "merged"
  | "undo"
  | "undone"
  | "mergeTitle"
  | "mergeWhat"
  | "field"
  | "survives"
  | "same"
  | "hideSame"
  | "united"
  | "empty"
  | "cancel"
  | "created"
  | "nameless"
  | "more";

export const DUPLICATE_WORDS: Words<Record<Word, string>> = {
  en: {
    title: "Duplicates",
    lead: "Leads that look like the same person. Merging keeps both timelines, and can be undone.",
    by: "Find leads with the same",
    email: "E-mail",
    phone: "Phone",
    name_and_company: "Name and company",
    none: "No duplicates",
    noneWhat: "No two leads share this. Try another likeness, or come back after the next import.",
    import: "To the imports",
    readOnly: "Your role lets you see duplicates. Editors and above can merge them.",
    keep: "Keep",
    compare: "Compare and merge",
    merge: "Merge",
    merged: "Merged",
    undo: "Undo",
    undone: "Both leads are back",
    mergeTitle: "Make one lead of two",
    mergeWhat: "Choose what holds where they differ. All events of both stay on the timeline.",
    field: "Field",
    survives: "Keeps its id and address",
    same: "Show what is the same",
    hideSame: "Hide what is the same",
    united: "Both together",
    empty: "Empty",
    cancel: "Cancel",
    created: "Created",
    nameless: "Lead without a name",
    more: "Show more groups",
  },
  "pt-BR": {
    title: "Duplicados",
    lead: "Leads que parecem ser a mesma pessoa. Mesclar mantém as duas linhas do tempo e pode ser desfeito.",
    by: "Encontrar leads com o mesmo",
    email: "E-mail",
    phone: "Telefone",
    name_and_company: "Nome e empresa",
    none: "Nenhum duplicado",
    noneWhat:
      "Não há dois leads com isso em comum. Tente outra semelhança ou volte após a próxima importação.",
    import: "Ir para as importações",
    readOnly: "Seu papel permite ver duplicados. Editores e acima podem mesclá-los.",
    keep: "Manter",
    compare: "Comparar e mesclar",
    merge: "Mesclar",
    merged: "Mesclados",
    undo: "Desfazer",
    undone: "Os dois leads voltaram",
    mergeTitle: "Fazer de dois leads um só",
    mergeWhat: "Escolha o que vale onde eles diferem. Todos os eventos dos dois ficam na linha do tempo.",
    field: "Campo",
    survives: "Mantém seu id e endereço",
    same: "Mostrar o que é igual",
    hideSame: "Ocultar o que é igual",
    united: "Os dois juntos",
    empty: "Vazio",
    cancel: "Cancelar",
    created: "Criado",
    nameless: "Lead sem nome",
    more: "Mostrar mais grupos",
  },
};

/** Why two leads may be one. */
export const REASONS: Words<Readonly<Record<string, string>>> = {
  en: {
    external_id: "Same external id",
    email: "Same e-mail",
    phone: "Same phone",
    name_and_company: "Same name and company",
  },
  "pt-BR": {
    external_id: "Mesmo id externo",
    email: "Mesmo e-mail",
    phone: "Mesmo telefone",
    name_and_company: "Mesmo nome e empresa",
  },
};

export const GROUP: Words<{
  size(count: string): string;
  more(count: string): string;
  kept(fields: string): string;
}> = {
  en: {
    size: (count) => `${count} leads`,
    more: (count) => `And ${count} more, which appear as you merge these.`,
    kept: (fields) => `Both leads are back. What changed since stays: ${fields}.`,
  },
  "pt-BR": {
    size: (count) => `${count} leads`,
    more: (count) => `E mais ${count}, que aparecem conforme você mescla estes.`,
    kept: (fields) => `Os dois leads voltaram. O que mudou desde então fica: ${fields}.`,
  },
};

/** What the service's refusals mean here. */
export const REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: { merged: "One of them was merged meanwhile. Look again." },
  "pt-BR": {
    merged: "Um deles foi mesclado nesse meio-tempo. Veja de novo.",
    already_undone: "Esta mesclagem já foi desfeita.",
    merged_since: "O lead foi mesclado a outro desde então. Desfaça aquela mesclagem primeiro.",
    lead_deleted: "O lead foi excluído desde então. Restaure-o primeiro.",
    too_many: "Juntos eles teriam mais de 100 entradas em uma lista. Retire algumas antes.",
  },
};
