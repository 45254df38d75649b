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
  updated: "Lead updated",
  something: "Enter a name, company, e-mail or phone.",
  duplicate: "This lead already exists",
  duplicateWhat:
    "A lead with the same e-mail or phone exists. Update it with your values, open it, or create another one.",
  open: "Open",
  complete: "Update it",
  anyway: "Create anyway",
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
  updated: "Lead atualizado",
  something: "Informe um nome, empresa, e-mail ou telefone.",
  duplicate: "Este lead já existe",
  duplicateWhat:
    "Já existe um lead com o mesmo e-mail ou telefone. Atualize-o com os seus valores, abra-o ou crie outro.",
  open: "Abrir",
  complete: "Atualizar",
  anyway: "Criar mesmo assim",
};

export const CREATE_WORDS: Words<typeof ENGLISH> = { en: ENGLISH, "pt-BR": PORTUGUESE };
