import type { Words } from "../../core/locale.ts";
import type { CellType } from "./column-types.ts";
import type { FieldType } from "./operators.ts";

/** How the value of a lead's field is written: the types of cells, and those with rules of their own. */
export type InputType = CellType | "emails" | "phones" | "currency" | "owner";

/** How a field of two leads becomes one when they are merged. Without a rule, one of the two values is chosen. */
type MergeRule =
  /** Both lists become one. */
  | "united"
  | "earliest"
  | "latest"
  /** True if it is true for either lead, unless a side was chosen. */
  | "either"
  /** Taken from the same lead as this field. */
  | { readonly follows: string };

/** A standard field of a lead; `en` and `pt-BR` are its labels. */
interface Entry extends Words<string> {
  readonly name: string;
  readonly type: FieldType;
  /** How it is written; the service sets fields without it. */
  readonly input?: InputType;
  /** Files are imports. Without it, programs, assistants and people write the field too. */
  readonly writtenBy?: "files";
  /** Never null. */
  readonly required?: true;
  /** What is stored instead of null. */
  readonly blank?: false | readonly [];
  /** Part of the lead's search text. */
  readonly worded?: true;
  /** The field that conditions and orders compare instead. Whether it is empty is judged by its own value. */
  readonly comparedAs?: string;
  readonly merge?: MergeRule;
  /** Only deleted leads have it, which filters, orders and groups never see, so that these are not offered it. */
  readonly ofDeleted?: true;
  /** Also shown to a caller that may write leads but not read them. */
  readonly shownToWriters?: true;
}

const CATALOGUE = [
  { name: "id", type: "id", en: "Id", "pt-BR": "Id", required: true, shownToWriters: true },
  { name: "external_id", type: "id", input: "text", en: "External id", "pt-BR": "Id externo" },
  {
    name: "name",
    type: "text",
    input: "text",
    en: "Name",
    "pt-BR": "Nome",
    worded: true,
    comparedAs: "display_name",
  },
  { name: "first_name", type: "text", input: "text", en: "First name", "pt-BR": "Primeiro nome" },
  { name: "last_name", type: "text", input: "text", en: "Last name", "pt-BR": "Sobrenome" },
  { name: "display_name", type: "text", en: "Display name", "pt-BR": "Nome exibido", worded: true },
  { name: "email", type: "email", input: "email", en: "E-mail", "pt-BR": "E-mail", worded: true },
  {
    name: "emails",
    type: "tags",
    input: "emails",
    en: "E-mails",
    "pt-BR": "E-mails",
    blank: [],
    merge: "united",
  },
  { name: "phone", type: "phone", input: "phone", en: "Phone", "pt-BR": "Telefone", worded: true },
  {
    name: "phone_e164",
    type: "id",
    en: "Phone (E.164)",
    "pt-BR": "Telefone (E.164)",
    merge: { follows: "phone" },
  },
  {
    name: "phones",
    type: "tags",
    input: "phones",
    en: "Phones",
    "pt-BR": "Telefones",
    blank: [],
    merge: "united",
  },
  { name: "company", type: "text", input: "text", en: "Company", "pt-BR": "Empresa", worded: true },
  { name: "job_title", type: "text", input: "text", en: "Job title", "pt-BR": "Cargo" },
  { name: "website", type: "text", input: "url", en: "Website", "pt-BR": "Site" },
  { name: "city", type: "text", input: "text", en: "City", "pt-BR": "Cidade" },
  { name: "state", type: "text", input: "text", en: "State", "pt-BR": "Estado" },
  { name: "country", type: "text", input: "text", en: "Country", "pt-BR": "País" },
  { name: "language", type: "text", input: "text", en: "Language", "pt-BR": "Idioma" },
  { name: "status", type: "enum", input: "enum", en: "Status", "pt-BR": "Status", required: true },
  {
    name: "lifecycle_stage",
    type: "text",
    input: "text",
    en: "Lifecycle stage",
    "pt-BR": "Estágio no funil",
  },
  { name: "score", type: "number", input: "number", en: "Score", "pt-BR": "Pontuação" },
  { name: "value", type: "number", input: "number", en: "Value", "pt-BR": "Valor" },
  {
    name: "currency",
    type: "text",
    input: "currency",
    en: "Currency",
    "pt-BR": "Moeda",
    merge: { follows: "value" },
  },
  { name: "owner_id", type: "id", input: "owner", en: "Owner", "pt-BR": "Responsável" },
  { name: "tags", type: "tags", input: "list", en: "Tags", "pt-BR": "Tags", blank: [], merge: "united" },
  { name: "lost_reason", type: "text", input: "text", en: "Lost reason", "pt-BR": "Motivo da perda" },
  { name: "source", type: "text", input: "text", en: "Source", "pt-BR": "Origem" },
  { name: "medium", type: "text", input: "text", en: "Medium", "pt-BR": "Mídia" },
  { name: "campaign", type: "text", input: "text", en: "Campaign", "pt-BR": "Campanha" },
  { name: "utm_source", type: "text", input: "text", en: "UTM source", "pt-BR": "UTM source" },
  { name: "utm_medium", type: "text", input: "text", en: "UTM medium", "pt-BR": "UTM medium" },
  { name: "utm_campaign", type: "text", input: "text", en: "UTM campaign", "pt-BR": "UTM campaign" },
  { name: "utm_term", type: "text", input: "text", en: "UTM term", "pt-BR": "UTM term" },
  { name: "utm_content", type: "text", input: "text", en: "UTM content", "pt-BR": "UTM content" },
  {
    name: "first_touch",
    type: "date",
    input: "datetime",
    en: "First touch",
    "pt-BR": "Primeiro contato",
    merge: "earliest",
  },
  {
    name: "last_touch",
    type: "date",
    input: "datetime",
    en: "Last touch",
    "pt-BR": "Último contato",
    merge: "latest",
  },
  { name: "landing_page", type: "text", input: "url", en: "Landing page", "pt-BR": "Página de entrada" },
  {
    name: "consent_status",
    type: "text",
    input: "text",
    en: "Consent status",
    "pt-BR": "Situação do consentimento",
  },
  {
    name: "consent_basis",
    type: "text",
    input: "text",
    en: "Consent basis",
    "pt-BR": "Base do consentimento",
    merge: { follows: "consent_status" },
  },
  {
    name: "consent_at",
    type: "date",
    input: "datetime",
    en: "Consent date",
    "pt-BR": "Data do consentimento",
    merge: { follows: "consent_status" },
  },
  {
    name: "do_not_contact",
    type: "boolean",
    input: "boolean",
    en: "Do not contact",
    "pt-BR": "Não contatar",
    required: true,
    blank: false,
    merge: "either",
  },
  { name: "custom", type: "object", en: "Custom fields", "pt-BR": "Campos personalizados" },
  {
    name: "last_activity_at",
    type: "date",
    input: "datetime",
    writtenBy: "files",
    en: "Last activity",
    "pt-BR": "Última atividade",
    merge: "latest",
  },
  { name: "version", type: "number", en: "Version", "pt-BR": "Versão", required: true, shownToWriters: true },
  { name: "import_id", type: "id", en: "Import", "pt-BR": "Importação" },
  { name: "merged_into_id", type: "id", en: "Merged into", "pt-BR": "Unido a" },
  {
    name: "created_at",
    type: "date",
    input: "datetime",
    writtenBy: "files",
    en: "Created",
    "pt-BR": "Criação",
    required: true,
    merge: "earliest",
  },
  {
    name: "updated_at",
    type: "date",
    en: "Updated",
    "pt-BR": "Atualização",
    required: true,
  },
  { name: "deleted_at", type: "date", en: "Deleted", "pt-BR": "Exclusão", ofDeleted: true },
] as const satisfies readonly Entry[];

/** The entry of a standard field, with its literal types. */
export type LeadFieldEntry = (typeof CATALOGUE)[number];

/** The name of a standard field of a lead. */
export type LeadFieldName = LeadFieldEntry["name"];

/** The names of the standard fields of this type that leads which are not deleted can have. */
export type LeadFieldOf<T extends FieldType> = Exclude<
  Extract<LeadFieldEntry, { type: T }>,
  { ofDeleted: true }
>["name"];

/** The names of the standard fields that callers write. */
export type WrittenLeadField = Exclude<
  Extract<LeadFieldEntry, { input: InputType }>,
  { writtenBy: "files" }
>["name"];

/** A standard field of a lead. */
export interface LeadField extends Entry {
  readonly name: LeadFieldName;
}

/** The standard fields, in the order in which leads show them. */
export const LEAD_FIELDS: readonly LeadField[] = CATALOGUE;

/** Returns the names of the standard fields of this type that leads which are not deleted can have. */
export function leadFieldsOf<T extends FieldType>(type: T): LeadFieldOf<T>[] {
  const isOfType = (name: LeadFieldName): name is LeadFieldOf<T> =>
    LEAD_FIELDS.some((field) => field.name === name && field.type === type && field.ofDeleted !== true);
  return LEAD_FIELDS.map(({ name }) => name).filter(isOfType);
}

/** The sections of a lead's page; custom fields have their own. */
export type LeadSection = "contact" | "sales" | "attribution" | "consent" | "record";

/** Standard fields that a lead's page shows elsewhere, or not at all. */
type NotInSections = "display_name" | "phone_e164" | "custom" | "merged_into_id" | "deleted_at";

/**
 * The section of each field that a lead's page lists, in the order in which people look for them. Apart from the
 * entries, so that the panel does not load the labels, which the API sends it.
 */
export const SECTION_OF: Readonly<Record<Exclude<LeadFieldName, NotInSections>, LeadSection>> = {
  name: "contact",
  first_name: "contact",
  last_name: "contact",
  job_title: "contact",
  company: "contact",
  email: "contact",
  emails: "contact",
  phone: "contact",
  phones: "contact",
  website: "contact",
  city: "contact",
  state: "contact",
  country: "contact",
  language: "contact",
  status: "sales",
  owner_id: "sales",
  value: "sales",
  currency: "sales",
  score: "sales",
  lifecycle_stage: "sales",
  tags: "sales",
  lost_reason: "sales",
  source: "attribution",
  medium: "attribution",
  campaign: "attribution",
  utm_source: "attribution",
  utm_medium: "attribution",
  utm_campaign: "attribution",
  utm_term: "attribution",
  utm_content: "attribution",
  first_touch: "attribution",
  last_touch: "attribution",
  landing_page: "attribution",
  consent_status: "consent",
  consent_basis: "consent",
  consent_at: "consent",
  do_not_contact: "consent",
  external_id: "record",
  id: "record",
  created_at: "record",
  updated_at: "record",
  last_activity_at: "record",
  import_id: "record",
  version: "record",
};
