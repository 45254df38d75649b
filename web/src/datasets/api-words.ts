import type { Words } from "../words/use-words.ts";

type Word = "lead" | "read" | "write" | "file" | "copy" | "keys" | "keysWhat" | "reference";

export const API_WORDS: Words<Record<Word, string>> = {
  en: {
    lead: "To read and write these rows from a program, use one of the project's API keys with access to datasets.",
    read: "Read rows",
    write: "Add or update rows",
    file: "Import a file",
    copy: "Copy",
    keys: "API keys",
    keysWhat: "Set LEADGATE_KEY to your key. Owners and admins create keys in the settings.",
    reference: "See the full API reference",
  },
  "pt-BR": {
    lead: "Para ler e gravar estas linhas a partir de um programa, use uma chave de API do projeto com acesso a conjuntos de dados.",
    read: "Ler linhas",
    write: "Adicionar ou atualizar linhas",
    file: "Importar um arquivo",
    copy: "Copiar",
    keys: "Chaves de API",
    keysWhat:
      "Defina LEADGATE_KEY com a sua chave. Proprietários e administradores criam chaves nas configurações.",
    reference: "Ver a referência completa da API",
  },
};
