import { Type } from "typebox";
import type { PresetName } from "../../../contract/lists/files.ts";
import type { LeadFieldName } from "../../../contract/lists/lead-fields.ts";
import { Refusal } from "../../../core/refusal.ts";
import { plainHeader } from "./header-words.ts";

/** What is known of the files of one program. */
export interface Preset {
  name: PresetName;
  /** Headers that only this program writes; all must be present. */
  tell: readonly string[];
  /** Further headers, one of which must be present, to tell similar programs apart. */
  also: readonly string[];
  columns: Readonly<Record<string, LeadFieldName>>;
  /** Prefixes of the values in some columns, whatever the columns are called. */
  prefixes?: readonly string[];
  /** By field, a prefix that some of its values have. */
  prefixOf?: Readonly<Record<string, string>>;
  /** A row with a cell that starts like this is not a record. */
  skipRows?: string;
}

export const PRESETS: readonly Preset[] = [
  {
    name: "hubspot",
    tell: ["Record ID"],
    also: ["Lead Status", "Create Date", "Contact owner", "Phone Number", "First Name"],
    columns: {
      "Record ID": "external_id",
      "First Name": "first_name",
      "Last Name": "last_name",
      Email: "email",
      "Phone Number": "phone",
      "Mobile Phone Number": "phones",
      "Company Name": "company",
      "Associated Company": "company",
      "Job Title": "job_title",
      "Lead Status": "status",
      "Lifecycle Stage": "lifecycle_stage",
      "Create Date": "created_at",
      "Last Activity Date": "last_activity_at",
    },
  },
  {
    name: "salesforce",
    tell: ["LastName", "LeadSource"],
    also: ["Id", "FirstName", "Salutation", "Company", "Status"],
    columns: {
      Id: "external_id",
      FirstName: "first_name",
      LastName: "last_name",
      Email: "email",
      Phone: "phone",
      MobilePhone: "phones",
      Company: "company",
      Title: "job_title",
      Website: "website",
      City: "city",
      State: "state",
      Country: "country",
      LeadSource: "source",
      Status: "status",
      AnnualRevenue: "value",
      CreatedDate: "created_at",
      LastActivityDate: "last_activity_at",
      DoNotCall: "do_not_contact",
    },
  },
  {
    name: "pipedrive",
    tell: ["Person - Name"],
    also: ["Person - Email - Work", "Person - Phone - Work", "Person - Organization", "Person - ID"],
    columns: {
      "Person - ID": "external_id",
      "Person - Name": "name",
      "Person - First name": "first_name",
      "Person - Last name": "last_name",
      "Person - Email - Work": "email",
      "Person - Email - Home": "emails",
      "Person - Phone - Work": "phone",
      "Person - Phone - Mobile": "phones",
      "Person - Organization": "company",
      "Person - Labels": "tags",
      "Person - Person created": "created_at",
    },
  },
  {
    name: "mailchimp",
    tell: ["Email Address", "LEID", "EUID"],
    also: ["MEMBER_RATING", "OPTIN_TIME", "TAGS", "First Name", "Last Name"],
    columns: {
      "Email Address": "email",
      "First Name": "first_name",
      "Last Name": "last_name",
      "Phone Number": "phone",
      Company: "company",
      MEMBER_RATING: "score",
      OPTIN_TIME: "consent_at",
      EUID: "external_id",
      TAGS: "tags",
    },
  },
  {
    name: "meta_lead_ads",
    tell: ["created_time", "ad_id"],
    also: ["id", "form_name", "platform", "full_name", "phone_number", "email"],
    columns: {
      id: "external_id",
      created_time: "created_at",
      campaign_name: "campaign",
      platform: "source",
      full_name: "name",
      first_name: "first_name",
      last_name: "last_name",
      phone_number: "phone",
      email: "email",
      company_name: "company",
      job_title: "job_title",
      city: "city",
      state: "state",
      country: "country",
    },
    prefixes: ["l:", "p:", "f:", "ag:", "as:", "c:", "z:"],
    prefixOf: { external_id: "l:", phone: "p:", phones: "p:" },
    skipRows: "<test lead:",
  },
  {
    name: "rd_station",
    tell: ["Nome", "Estágio no funil"],
    also: ["Email", "Telefone", "Celular", "Cargo", "Empresa", "Estado", "Cidade", "Tags"],
    columns: {
      Email: "email",
      Nome: "name",
      Celular: "phone",
      Telefone: "phones",
      Cargo: "job_title",
      Empresa: "company",
      Estado: "state",
      Cidade: "city",
      País: "country",
      Site: "website",
      "Estágio no funil": "lifecycle_stage",
      Tags: "tags",
    },
  },
];

export const presetNamed = (name: string): Preset | undefined =>
  PRESETS.find((preset) => preset.name === name);

/** The name of a preset before it is checked by `knownPreset`, whose refusal names all. */
export const PresetText = Type.Optional(Type.String({ maxLength: 50 }));

/** Refuses an unknown preset; `none` means no preset. */
export function knownPreset(name: string | undefined): void {
  if (name === undefined || name === "none" || presetNamed(name) !== undefined) return;
  const known = PRESETS.map((each) => each.name).join(", ");
  throw new Refusal("malformed", "unknown_preset", `The preset must be one of ${known}, none.`);
}

/** Returns the program that wrote a file with this header, and the headers that show it. */
export function detectPreset(header: readonly string[]): { preset: Preset; because: string[] } | undefined {
  const names = new Set(header.map(plainHeader));
  const has = (name: string) => names.has(plainHeader(name));
  const found = PRESETS.filter(({ tell, also }) => tell.every(has) && also.some(has)).map((preset) => ({
    preset,
    because: [...preset.tell, ...preset.also].filter(has),
  }));
  return found.sort((a, b) => b.because.length - a.because.length)[0];
}
