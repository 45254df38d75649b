import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  title: "New lead",
  name: "Name",
  company: "Company",
  email: "E-mail",
  phone: "Phone",
  status: "Status",
  value: "Value",
  source: "Source",
  owner: "Owner",
  tags: "Tags",
  cancel: "Cancel",
  create: "Create lead",
  created: "Lead created",
  updated: "Lead completed",
  something: "Write down a name, company, e-mail or phone.",
  duplicate: "There is such a lead already",
  duplicateWhat:
    "It has the same e-mail or phone. Complete it with what you wrote, open it, or create another one.",
  open: "Open",
  complete: "Complete it",
  anyway: "Create another one",
};

const PORTUGUESE: typeof ENGLISH = {
  title: "Novo lead",
  name: "Nome",
  company: "Empresa",
  email: "E-mail",
  phone: "Telefone",
  status: "Status",
  value: "Valor",
  source: "Origem",
  owner: "Responsável",
  tags: "Tags",
  cancel: "Cancelar",
  create: "Criar lead",
  created: "Lead criado",
  updated: "Lead completado",
  something: "Anote um nome, empresa, e-mail ou telefone.",
  duplicate: "Esse lead já existe",
  duplicateWhat: "Tem o mesmo e-mail ou telefone. Complete-o com o que escreveu, abra-o ou crie outro.",
  open: "Abrir",
  complete: "Completá-lo",
  anyway: "Criar outro",
};

export const CREATE_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };
