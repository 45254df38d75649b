import type { LeadFieldName } from "../../../contract/lists/lead-fields.ts";

/** Common names of a lead's fields, in the form of `plainHeader`. */
const WORDS: Readonly<Partial<Record<LeadFieldName, readonly string[]>>> = {
  external_id: ["record id", "contact id", "lead id", "customer id", "id", "codigo", "euid"],
  name: ["full name", "contact name", "person name", "nome", "nome completo", "nome do lead", "contato"],
  first_name: ["firstname", "given name", "primeiro nome", "fname"],
  last_name: ["lastname", "surname", "family name", "sobrenome", "lname"],
  email: ["e mail", "email address", "e mail address", "mail", "person email work", "endereco de email"],
  phone: [
    "phone number",
    "telephone",
    "mobile",
    "mobile phone",
    "telefone",
    "celular",
    "person phone work",
    "whatsapp",
  ],
  company: ["company name", "organization", "organisation", "account name", "empresa", "organization name"],
  job_title: ["title", "position", "role", "cargo"],
  website: ["website url", "site", "web site", "url"],
  city: ["cidade", "town"],
  state: ["estado", "region", "state region", "uf"],
  country: ["pais", "country region"],
  language: ["idioma", "preferred language"],
  status: ["lead status"],
  lifecycle_stage: ["lifecycle stage", "estagio no funil", "stage"],
  value: ["deal value", "amount", "valor"],
  currency: ["moeda"],
  tags: ["labels", "etiquetas"],
  source: ["lead source", "leadsource", "original source", "origem", "platform", "fonte"],
  campaign: ["campaign name", "campanha"],
  created_at: ["create date", "created date", "created", "created time", "data de criacao", "optin time"],
  last_activity_at: ["last activity date", "last activity"],
};

const FIELD_OF = new Map(
  Object.entries(WORDS).flatMap(([field, words]) => words.map((word) => [word, field])),
);

/** A header in lower case, without accents and punctuation: `Person - Email - Work` is `person email work`. */
export const plainHeader = (header: string): string =>
  header
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The field that a header commonly means. */
export const fieldByWords = (header: string): string | undefined => FIELD_OF.get(plainHeader(header));
