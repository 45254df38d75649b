import type { Words } from "../words/use-words.ts";

type Word = "lead" | "read" | "write" | "file" | "copy" | "copied" | "keys" | "keysWhat" | "reference";

export const API_WORDS: Words<Record<Word, string>> = {
  en: {
    lead: "Programs read and write these rows with an API key of the project that may read or write datasets.",
    read: "Read rows",
    write: "Add or change rows",
    file: "Import a file",
    copy: "Copy",
    copied: "Copied",
    keys: "API keys",
    keysWhat: "Put the key into LEADGATE_KEY; managers make one in the settings.",
    reference: "Every call, with its fields",
  },
  "pt-BR": {
    lead: "Programas leem e gravam estas linhas com uma chave de API do projeto que possa ler ou gravar conjuntos de dados.",
    read: "Ler linhas",
    write: "Adicionar ou alterar linhas",
    file: "Importar um arquivo",
    copy: "Copiar",
    copied: "Copiado",
    keys: "Chaves de API",
    keysWhat: "Ponha a chave em LEADGATE_KEY; quem administra cria uma nas configurações.",
    reference: "Todas as chamadas, com seus campos",
  },
};
