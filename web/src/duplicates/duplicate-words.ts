import type { DuplicateReason, Likeness } from "../../../src/contract/lists/duplicates.ts";
import type { Words } from "../words/use-words.ts";

type Word =
  | "title"
  | "lead"
  | "by"
  | Likeness
  | "none"
  | "noneWhat"
  | "import"
  | "readOnly"
  | "keep"
  | "compare"
  | "merge"
  | "merged"
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
    lead: "Leads that look like the same person. Merging keeps both timelines and can be undone.",
    by: "Find leads with the same",
    email: "E-mail",
    phone: "Phone",
    name_and_company: "Name and company",
    conflict: "Submission",
    none: "No duplicates",
    noneWhat: "No two leads have this in common. Try another field, or check again after the next import.",
    import: "Go to imports",
    readOnly: "You need the Editor role to merge duplicates.",
    keep: "Keep",
    compare: "Compare and merge",
    merge: "Merge",
    merged: "Merged",
    undone: "Merge undone",
    mergeTitle: "Merge leads",
    mergeWhat: "Choose which values to keep. The timeline keeps all events of both leads.",
    field: "Field",
    survives: "Keeps its ID and URL",
    same: "Show identical fields",
    hideSame: "Hide identical fields",
    united: "Combined",
    empty: "Empty",
    cancel: "Cancel",
    created: "Created",
    nameless: "Unnamed lead",
    more: "Show more groups",
  },
  "pt-BR": {
    title: "Duplicados",
    lead: "Leads que parecem ser a mesma pessoa. A mesclagem mantém as duas linhas do tempo e pode ser desfeita.",
    by: "Encontrar leads com o mesmo",
    email: "E-mail",
    phone: "Telefone",
    name_and_company: "Nome e empresa",
    conflict: "Envio",
    none: "Nenhum duplicado",
    noneWhat: "Não há leads com isso em comum. Tente outro campo ou volte após a próxima importação.",
    import: "Ir para importações",
    readOnly: "Você precisa do papel de Editor para mesclar duplicados.",
    keep: "Manter",
    compare: "Comparar e mesclar",
    merge: "Mesclar",
    merged: "Mesclados",
    undone: "Mesclagem desfeita",
    mergeTitle: "Mesclar leads",
    mergeWhat: "Escolha quais valores manter. A linha do tempo mantém todos os eventos dos dois leads.",
    field: "Campo",
    survives: "Mantém seu ID e URL",
    same: "Mostrar campos iguais",
    hideSame: "Ocultar campos iguais",
    united: "Combinados",
    empty: "Vazio",
    cancel: "Cancelar",
    created: "Criado",
    nameless: "Lead sem nome",
    more: "Mostrar mais grupos",
  },
};

/** Why two leads may be the same person. */
export const REASONS: Words<Readonly<Record<DuplicateReason, string>>> = {
  en: {
    external_id: "Same external ID",
    email: "Same e-mail",
    phone: "Same phone",
    name_and_company: "Same name and company",
    conflict: "A submission fits both",
  },
  "pt-BR": {
    external_id: "Mesmo ID externo",
    email: "Mesmo e-mail",
    phone: "Mesmo telefone",
    name_and_company: "Mesmo nome e empresa",
    conflict: "Um envio serve para ambos",
  },
};

export const GROUP: Words<{
  size(count: string): string;
  more(count: string): string;
  kept(fields: string): string;
}> = {
  en: {
    size: (count) => `${count} leads`,
    more: (count) => `${count} more will appear as you merge these.`,
    kept: (fields) => `Merge undone. Later changes were kept: ${fields}.`,
  },
  "pt-BR": {
    size: (count) => `${count} leads`,
    more: (count) => `Mais ${count} aparecerão conforme você mesclar estes.`,
    kept: (fields) => `Mesclagem desfeita. Mudanças posteriores foram mantidas: ${fields}.`,
  },
};

/** The service's refusals on this screen. */
export const REFUSALS: Words<Readonly<Record<string, string>>> = {
  en: { merged: "One of these leads was merged in the meantime. Check again." },
  "pt-BR": {
    merged: "Um destes leads foi mesclado nesse meio-tempo. Verifique de novo.",
    already_undone: "Esta mesclagem já foi desfeita.",
    merged_since: "Depois disso, o lead foi mesclado a outro. Desfaça essa mesclagem primeiro.",
    lead_deleted: "O lead foi excluído depois disso. Restaure-o primeiro.",
    too_many: "Juntos, eles teriam mais de 100 itens em uma lista. Remova alguns antes.",
  },
};
