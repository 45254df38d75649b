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
  | "notSaved"
  | "none"
  | "add"
  | "copy"
  | "call"
  | "write"
  | "whatsapp"
  | "open"
  | "history"
  | "nobody"
  | "came"
  | "unchanged"
  | "untracked"
  | "more";

export const VALUE_WORDS: Words<Record<Word, string>> = {
  en: {
    facts: "Details",
    contact: "Contact",
    sales: "Sales",
    own: "Custom fields",
    attribution: "Attribution",
    consent: "Consent",
    record: "Record",
    emptyFields: "Empty fields",
    fewer: "Hide empty fields",
    edit: "Edit",
    save: "Save",
    cancel: "Cancel",
    saved: "Saved",
    notSaved: "Not saved",
    none: "Empty",
    add: "Add",
    copy: "Copy",
    call: "Call",
    write: "Write an e-mail to",
    whatsapp: "Open WhatsApp for",
    open: "Open",
    history: "History",
    nobody: "Nobody",
    came: "Set when the lead was created",
    unchanged: "Not changed since the lead was created.",
    untracked: "Changes to this field are not recorded.",
    more: "Show earlier changes",
  },
  "pt-BR": {
    facts: "Dados",
    contact: "Contato",
    sales: "Vendas",
    own: "Campos personalizados",
    attribution: "Atribuição",
    consent: "Consentimento",
    record: "Registro",
    emptyFields: "Campos vazios",
    fewer: "Ocultar campos vazios",
    edit: "Editar",
    save: "Salvar",
    cancel: "Cancelar",
    saved: "Salvo",
    notSaved: "Não salvo",
    none: "Vazio",
    add: "Adicionar",
    copy: "Copiar",
    call: "Ligar para",
    write: "Escrever um e-mail para",
    whatsapp: "Abrir o WhatsApp de",
    open: "Abrir",
    history: "Histórico",
    nobody: "Ninguém",
    came: "Definido na criação do lead",
    unchanged: "Sem alterações desde a criação do lead.",
    untracked: "As alterações deste campo não são registradas.",
    more: "Mostrar alterações anteriores",
  },
};

export const EMPTY_FIELDS: Words<(count: number) => string> = {
  en: (count) => (count === 1 ? "1 empty field" : `${count} empty fields`),
  "pt-BR": (count) => (count === 1 ? "1 campo vazio" : `${count} campos vazios`),
};
