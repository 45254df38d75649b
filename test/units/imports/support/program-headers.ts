import type { PresetName } from "../../../../src/contract/lists/files.ts";
import { SHAPES } from "../../../imports/support/crm-shapes.ts";

/** The header of a program's file, and what some of its columns fill: "" if the program has no use for one. */
export interface ProgramFile {
  program: PresetName;
  header: readonly string[];
  uses: Readonly<Record<string, string>>;
}

const file = (program: PresetName, header: string, uses: Readonly<Record<string, string>>): ProgramFile => ({
  ...{ program, uses },
  header: header.split(/\s*\|\s*/),
});

const CRMS: readonly ProgramFile[] = [
  file(
    "hubspot",
    "Record ID|First Name|Last Name|Email|Phone Number|Mobile Phone Number|Lead Status|Create Date|Associated Company|Country/Region|Contact owner|Work email|Opted out of email: One to One",
    { "Record ID": "external_id", "Mobile Phone Number": "phones", "Work email": "emails" },
  ),
  file("salesforce", "Id|LastName|FirstName|Salutation|Company|LeadSource|Status|Email|Phone|MobilePhone", {
    ...{ Id: "external_id", LeadSource: "source", MobilePhone: "phones", Salutation: "" },
  }),
  file(
    "salesforce",
    "First Name|Last Name|Title|Company / Account|Email|Phone|Lead Status|Lead Source|Annual Revenue|Create Date|Lead Owner|Lead ID",
    {
      ...{ "Lead ID": "external_id", "Company / Account": "company", Title: "job_title" },
      ...{ "Annual Revenue": "value", "Create Date": "created_at", "Lead Source": "source" },
    },
  ),
  file(
    "salesforce",
    "Lead ID|Lead Owner: Manager|Lead Owner|First Name|Last Name|Email|Lead Status|Last Activity|Last Activity Date|Phone|Primary Campaign|Campaign Channel|Create Date",
    { "Lead ID": "external_id", "Primary Campaign": "campaign", "Last Activity": "last_activity_at" },
  ),
  file(
    "salesforce",
    "Lead Owner|First Name|Last Name|Title|Company / Account|Lead Source|Rating|Street|Email",
    {
      "Company / Account": "company",
    },
  ),
  file(
    "pipedrive",
    "Person - Name|Person - Email - Work|Person - Email - Home|Person - Email - Other|Person - Phone - Work|Person - Phone - Home|Person - Phone - Mobile|Person - Phone - Other|Person - Organization|Person - Labels|Person - Notes|Person - Marketing status",
    {
      ...{ "Person - Email - Work": "email", "Person - Email - Other": "emails" },
      ...{ "Person - Phone - Work": "phone", "Person - Phone - Mobile": "phones" },
      ...{ "Person - Phone - Home": "phones", "Person - Phone - Other": "phones", "Person - Notes": "note" },
    },
  ),
  file(
    "zoho",
    "Record Id|Lead Owner|Company|First Name|Last Name|Email|Lead Source|Created Time|City|Country|Email Opt Out|Tag",
    { "Record Id": "external_id", Tag: "tags", "Created Time": "created_at", "Lead Source": "source" },
  ),
  file(
    "zoho",
    "Record Id|Lead Owner.id|Lead Owner|Is Converted|Company|First Name|Last Name|Designation|Email|Phone|Mobile|Lead Source|Lead Status|Annual Revenue|Currency|Secondary Email|Created Time|Description",
    {
      ...{ Mobile: "phone", Phone: "phones", "Secondary Email": "emails", Designation: "job_title" },
      ...{ "Lead Status": "status", "Annual Revenue": "value", Currency: "currency", Description: "note" },
    },
  ),
  file(
    "twenty",
    "Id|Name / First Name|Name / Last Name|Emails / Primary Email|Emails / Additional Emails|Phones / Primary Phone Number|Phones / Primary Phone Country Code|Phones / Primary Phone Calling Code|Phones / Additional Phones|Job Title|City|Company / Name|Creation date|Last update|Linkedin / Link URL",
    {
      ...{ Id: "external_id", "Name / First Name": "first_name", "Emails / Primary Email": "email" },
      ...{ "Emails / Additional Emails": "emails", "Phones / Primary Phone Number": "phone" },
      ...{ "Phones / Primary Phone Calling Code": "", "Company / Name": "company" },
      ...{ "Creation date": "created_at", "Linkedin / Link URL": "custom.linkedin_url" },
    },
  ),
  file(
    "suitecrm",
    "First Name|Last Name|ID|Job Title|Account Name|Email Address|Mobile|Lead Source|Do Not Call|Date Created",
    { ID: "external_id", Mobile: "phone", "Account Name": "company", "Date Created": "created_at" },
  ),
  file(
    "suitecrm",
    "First Name|Last Name|ID|Salutation|Job Title|Department|Account Name|Email Address|Non Primary E-mails|Mobile|Office Phone|Home|Other Phone|Fax|Primary Address Street|Primary Address City|Primary Address State|Primary Address Country|Description|Lead Source|Campaign ID|Do Not Call|Assigned to|Date Created|Deleted",
    {
      ...{ "Non Primary E-mails": "emails", "Office Phone": "phones", Home: "phones", Fax: "" },
      ...{ Description: "note", "Primary Address City": "city", "Campaign ID": "custom.campaign_id" },
    },
  ),
];

const MARKETING: readonly ProgramFile[] = [
  file(
    "mailchimp",
    "Email Address|First Name|Last Name|Phone Number|MEMBER_RATING|OPTIN_TIME|OPTIN_IP|CONFIRM_TIME|CONFIRM_IP|GMTOFF|DSTOFF|TIMEZONE|CC|REGION|UNSUB_TIME|UNSUB_CAMPAIGN_TITLE|UNSUB_CAMPAIGN_ID|UNSUB_REASON|UNSUB_REASON_OTHER|LEID|EUID|NOTES|TAGS",
    {
      ...{ EUID: "external_id", OPTIN_TIME: "consent_at", CC: "country", REGION: "state", NOTES: "note" },
      ...{ UNSUB_TIME: "opt_out_at", UNSUB_REASON: "custom.unsubscribe_reason", OPTIN_IP: "" },
    },
  ),
  file("rd_station", "Email|Nome|Telefone|Celular|Cargo|Empresa|Estado|Cidade|Estágio no funil|Tags", {
    ...{ Celular: "phone", Telefone: "phones", Nome: "name" },
  }),
  file("activecampaign", "Email|First Name|Last Name|Phone|Tags|Date Created|IP|Status", {
    ...{ Tags: "tags", "Date Created": "created_at", Status: "", IP: "" },
  }),
  file(
    "apollo",
    "First Name|Last Name|Title|Company|Company Name for Emails|Email|Email Status|Seniority|First Phone|Work Direct Phone|Mobile Phone|Corporate Phone|# Employees|Industry|Person Linkedin Url|Website|Company Linkedin Url|Twitter Url|City|State|Country",
    {
      ...{ "Mobile Phone": "phone", "Work Direct Phone": "phones", "Email Status": "custom.email_status" },
      ...{ "Corporate Phone": "phones", "Person Linkedin Url": "custom.linkedin_url" },
    },
  ),
  file(
    "apollo",
    "First Name|Last Name|Title|Company Name|Company Name for Emails|Email|Email Status|Primary Email Source|Contact Owner|Work Direct Phone|Home Phone|Mobile Phone|Corporate Phone|Other Phone|Stage|Lists|Person Linkedin Url|Apollo Contact Id|Apollo Account Id|Secondary Email|Tertiary Email",
    {
      ...{ "Apollo Contact Id": "external_id", Stage: "lifecycle_stage", "Secondary Email": "emails" },
      ...{ "Home Phone": "phones", "Other Phone": "phones", Lists: "tags" },
    },
  ),
];

const ADS: readonly ProgramFile[] = [
  file(
    "meta_lead_ads",
    "id|created_time|ad_id|ad_name|adset_id|adset_name|campaign_id|campaign_name|form_id|form_name|is_organic|platform|first_name|phone|email|lead_status",
    { id: "external_id", campaign_name: "campaign", form_name: "custom.form_name" },
  ),
  file(
    "meta_leads_center",
    "Created|Name|Email|Source|Form|Channel|Stage|Owner|Labels|Phone|Secondary phone number|WhatsApp number",
    {
      ...{ Created: "created_at", Name: "name", Phone: "phone", "Secondary phone number": "phones" },
      ...{ "WhatsApp number": "phones", Labels: "tags", Stage: "lifecycle_stage", Form: "custom.form_name" },
    },
  ),
  file("google_ads", "Lead ID|Full name|Work email|Phone number|GCLID|Campaign ID|Submission time|Is test", {
    ...{ "Lead ID": "external_id", "Work email": "emails", GCLID: "custom.gclid" },
  }),
];

const ADDRESS_BOOKS: readonly ProgramFile[] = [
  file(
    "google_contacts",
    "First Name|Middle Name|Last Name|Phonetic First Name|Phonetic Middle Name|Phonetic Last Name|Name Prefix|Name Suffix|Nickname|File As|Organization Name|Organization Title|Organization Department|Birthday|Notes|Photo|Labels|E-mail 1 - Label|E-mail 1 - Value|E-mail 2 - Label|E-mail 2 - Value|Phone 1 - Label|Phone 1 - Value|Phone 2 - Label|Phone 2 - Value|Address 1 - City|Address 1 - Country|Website 1 - Label|Website 1 - Value",
    {
      ...{ "E-mail 1 - Value": "email", "E-mail 2 - Value": "emails", "E-mail 1 - Label": "" },
      ...{ "Phone 1 - Value": "phone", "Phone 2 - Value": "phones", Labels: "tags", Notes: "note" },
      ...{ "Organization Name": "company", "Organization Title": "job_title", "Address 1 - City": "city" },
    },
  ),
  file(
    "google_contacts",
    "Name|Given Name|Additional Name|Family Name|Yomi Name|Name Prefix|Occupation|Notes|Language|Photo|Group Membership|E-mail 1 - Type|E-mail 1 - Value|Phone 1 - Type|Phone 1 - Value|Organization 1 - Type|Organization 1 - Name|Organization 1 - Title",
    {
      Name: "name",
      "Given Name": "first_name",
      "Group Membership": "tags",
      "Organization 1 - Name": "company",
    },
  ),
  file("google_contacts", "First Name|Last Name|Phone 1 - Value|Phone 1 - Type|Labels", {}),
  file("linkedin", "First Name|Last Name|URL|Email Address|Company|Position|Connected On", {
    ...{ URL: "custom.linkedin_url", Position: "job_title", "Connected On": "first_touch" },
  }),
  file("linkedin", "Vorname|Nachname|URL|E-Mail-Adresse|Unternehmen|Position|Verbunden am", {
    ...{ Unternehmen: "company", "Verbunden am": "custom.connected_on" },
  }),
];

const OUTLOOK: readonly ProgramFile[] = [
  file(
    "outlook",
    "Title|First Name|Middle Name|Last Name|Suffix|Company|Department|Job Title|Business City|Business State|Business Country/Region|Home City|Business Fax|Business Phone|Company Main Phone|Home Phone|Mobile Phone|Primary Phone|Categories|E-mail Address|E-mail Type|E-mail Display Name|E-mail 2 Address|Notes|Web Page",
    {
      ...{ Title: "", "Job Title": "job_title", "Mobile Phone": "phone", "Business Phone": "phones" },
      ...{ "Business Fax": "", "Company Main Phone": "", "E-mail Address": "email", Notes: "note" },
      ...{ "E-mail 2 Address": "emails", Categories: "tags", "E-mail Display Name": "" },
    },
  ),
  file(
    "outlook",
    "Anrede|Vorname|Weitere Vornamen|Nachname|Suffix|Firma|Abteilung|Position|Ort geschäftlich|Land/Region geschäftlich|Fax geschäftlich|Telefon geschäftlich|Telefon (privat)|Mobiltelefon|Haupttelefon|E-Mail-Adresse|E-Mail-Typ|E-Mail 2: Adresse|Kategorien|Notizen|Webseite",
    { Mobiltelefon: "phone", "Telefon geschäftlich": "phones", "Ort geschäftlich": "city", Notizen: "note" },
  ),
  file(
    "outlook",
    "Nombre|Apellidos|Organización|Puesto|Ciudad de trabajo|Teléfono del trabajo|Particular|Teléfono móvil|Categorías|Dirección de correo electrónico|Notas",
    { Nombre: "", Apellidos: "last_name", "Teléfono móvil": "phone", Particular: "phones" },
  ),
  file(
    "outlook",
    "Titre|Prénom|Deuxième prénom|Nom|Société|Service|Titre (2)|Ville (bureau)|Pays/Région (bureau)|Téléphone (bureau)|Tél. mobile|Adresse de messagerie|Catégories|Notes",
    { Titre: "", "Titre (2)": "job_title", "Tél. mobile": "phone", "Téléphone (bureau)": "phones" },
  ),
  file(
    "outlook",
    "Primeiro nome|Sobrenome|Empresa|Cargo|Telefone comercial|Telefone residencial|Telefone celular|Endereço de email|Categorias|Anotações",
    { "Telefone celular": "phone", "Telefone comercial": "phones", "Endereço de email": "email" },
  ),
  file(
    "outlook",
    "Primeiro nome|Apelido|Empresa|Telefone da empresa|Telemóvel|Correio eletrónico|Categorias",
    {
      ...{ Apelido: "last_name", Telemóvel: "phone" },
    },
  ),
  file("outlook", "Nome|Cognome|Società|Posizione|Ufficio|Cellulare|Indirizzo posta elettronica|Categorie", {
    ...{ Cognome: "last_name", Ufficio: "phones", Cellulare: "phone" },
  }),
  file("outlook", "Имя|Фамилия|Организация|Рабочий телефон|Телефон переносной|Адрес эл. почты|Заметки", {
    ...{ "Телефон переносной": "phone", Заметки: "note" },
  }),
  file("outlook", "姓|名|会社名|役職|会社電話|携帯電話|電子メール アドレス|分類|メモ", { 携帯電話: "phone" }),
  file("outlook", "名|姓|单位|职务|商务电话|移动电话|电子邮件地址|类别|附注", {
    移动电话: "phone",
    附注: "note",
  }),
];

const shapes = SHAPES.map(
  ({ name, header }): ProgramFile => ({ program: name as PresetName, header, uses: {} }),
);

/** Headers of the programs whose files are recognized, as those programs write them. */
export const FILES: readonly ProgramFile[] = [
  ...[...shapes, ...CRMS, ...MARKETING, ...ADS, ...ADDRESS_BOOKS, ...OUTLOOK],
];
