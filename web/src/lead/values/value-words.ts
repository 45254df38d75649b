import type { Words } from "../../words/use-words.ts";

type Word =
  | "contact"
  | "sales"
  | "own"
  | "attribution"
  | "consent"
  | "record"
  | "facts"
  | "emptyFields"
  | "fewer"
  | "edit"
  | "save"
  | "cancel"
  | "saved"
  | "undo"
  | "undone"
  | "yes"
  | "no"
  | "none"
  | "add"
  | "copy"
  | "copied"
  | "call"
  | "write"
  | "whatsapp"
  | "open"
  | "history"
  | "nobody"
  | "came"
  | "unchanged"
  | "untracked"
  | "more"
  | "listHint";

export const VALUE_WORDS: Words<Record<Word, string>> = {
  en: {
    facts: "Facts",
    contact: "Contact",
    sales: "Sales",
    own: "Your fields",
    attribution: "Where they came from",
    consent: "Consent",
    record: "Record",
    emptyFields: "Empty fields",
    fewer: "Hide empty fields",
    edit: "Edit",
    save: "Save",
    cancel: "Cancel",
    saved: "Saved",
    undo: "Undo",
    undone: "Taken back",
    yes: "Yes",
    no: "No",
    none: "Empty",
    add: "Add",
    copy: "Copy",
    copied: "Copied",
    call: "Call",
    write: "Write an e-mail to",
    whatsapp: "Open WhatsApp for",
    open: "Open",
    history: "History",
    nobody: "Nobody",
    came: "Came with the lead",
    unchanged: "Not changed since the lead was created.",
    untracked: "Changes of this field are not recorded.",
    more: "Show earlier changes",
    listHint: "Enter adds one",
  },
  "pt-BR": {
    facts: "Dados",
    contact: "Contato",
    sales: "Vendas",
    own: "Seus campos",
    attribution: "De onde veio",
    consent: "Consentimento",
    record: "Registro",
    emptyFields: "Campos vazios",
    fewer: "Ocultar campos vazios",
    edit: "Editar",
    save: "Salvar",
    cancel: "Cancelar",
    saved: "Salvo",
    undo: "Desfazer",
    undone: "Desfeito",
    yes: "Sim",
    no: "Não",
    none: "Vazio",
    add: "Adicionar",
    copy: "Copiar",
    copied: "Copiado",
    call: "Ligar para",
    write: "Escrever um e-mail para",
    whatsapp: "Abrir o WhatsApp de",
    open: "Abrir",
    history: "Histórico",
    nobody: "Ninguém",
    came: "Veio com o lead",
    unchanged: "Não mudou desde que o lead foi criado.",
    untracked: "As mudanças deste campo não são registradas.",
    more: "Mostrar mudanças anteriores",
    listHint: "Enter adiciona",
  },
};

export const EMPTY_FIELDS: Words<(count: number) => string> = {
  en: (count) => (count === 1 ? "1 empty field" : `${count} empty fields`),
  "pt-BR": (count) => (count === 1 ? "1 campo vazio" : `${count} campos vazios`),
};
