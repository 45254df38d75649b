import type { Sender } from "./senders.ts";

/**
 * The export of a CRM: its columns, and a person in them; `company` is one of the values that change between
 * two rows.
 */
export interface Shape {
  name: string;
  header: string[];
  /** The column that identifies the record; the e-mail is in `email`. */
  key: string | null;
  email: string;
  phone: string | null;
  company: string;
  row(person: Sender, n: number, own: { email: string; phone: string; company: string }): string[];
}

const half = ({ name }: Sender): [string, string] => {
  const [first = "", ...rest] = name.split(" ");
  return [first, rest.join(" ") || "Unknown"];
};

export const SHAPES: readonly Shape[] = [
  {
    name: "hubspot",
    header: [
      "Record ID",
      "First Name",
      "Last Name",
      "Email",
      "Phone Number",
      "Lead Status",
      "Create Date",
      "Contact owner",
      "Company Name",
      "Email",
    ],
    key: "Record ID",
    email: "Email",
    phone: "Phone Number",
    company: "Company Name",
    row: (person, n, { email, phone, company }) => [
      `${n}`,
      ...half(person),
      email,
      phone,
      "In progress",
      "2002-08-22 12:36",
      "",
      company,
      "second",
    ],
  },
  {
    name: "salesforce",
    header: [
      "Id",
      "LastName",
      "FirstName",
      "Salutation",
      "Company",
      "LeadSource",
      "Status",
      "Email",
      "Phone",
      "Region__c",
      "Region__c",
    ],
    key: "Id",
    email: "Email",
    phone: "Phone",
    company: "Company",
    row: (person, n, { email, phone, company }) => [
      `00Q${n}`,
      half(person)[1],
      half(person)[0],
      "Dr.",
      company,
      "Web",
      "Open",
      email,
      phone,
      "South",
      "",
    ],
  },
  {
    name: "pipedrive",
    header: [
      "Person - Name",
      "Person - Email - Work",
      "Person - Phone - Work",
      "Person - Organization",
      "Person - Labels",
    ],
    key: null,
    email: "Person - Email - Work",
    phone: "Person - Phone - Work",
    company: "Person - Organization",
    row: ({ name }, _, { email, phone, company }) => [name, email, phone, company, "hot, warm"],
  },
  {
    name: "mailchimp",
    header: [
      "Email Address",
      "First Name",
      "Last Name",
      "Company",
      "MEMBER_RATING",
      "OPTIN_TIME",
      "LEID",
      "EUID",
      "TAGS",
    ],
    key: "EUID",
    email: "Email Address",
    phone: null,
    company: "Company",
    row: (person, n, { email, company }) => [
      email,
      ...half(person),
      company,
      "2",
      "2002-08-22 12:36:23",
      `${n}`,
      `eu${n}`,
      '"a","b"',
    ],
  },
  {
    name: "meta_lead_ads",
    header: [
      "id",
      "created_time",
      "ad_id",
      "form_name",
      "platform",
      "full_name",
      "phone_number",
      "email",
      "company_name",
    ],
    key: "id",
    email: "email",
    phone: "phone_number",
    company: "company_name",
    row: ({ name }, n, { email, phone, company }) => [
      `l:${n}`,
      "2024-05-01T10:00:00-0300",
      "ag:1",
      "Form",
      "ig",
      name,
      phone === "" ? "" : `p:${phone}`,
      email,
      company,
    ],
  },
  {
    name: "rd_station",
    header: [
      "Email",
      "Nome",
      "Telefone",
      "Celular",
      "Cargo",
      "Empresa",
      "Estado",
      "Cidade",
      "Estágio no funil",
      "Tags",
    ],
    key: null,
    email: "Email",
    phone: "Celular",
    company: "Empresa",
    row: ({ name }, _, { email, phone, company }) => [
      email,
      name,
      "",
      phone,
      "Gerente",
      company,
      "SP",
      "São Paulo",
      "Lead",
      "x;y",
    ],
  },
];

/**
 * Returns a file's rows with the flaws of real files: repeated people, lost digits, rows of the wrong width,
 * empty rows.
 */
export function rowsOf(shape: Shape, people: readonly Sender[]): string[][] {
  return people.flatMap((person, i) => {
    const n = i + 1;
    const company = i % 9 === 0 ? `Ação "${n}",\nLtda; Überall` : i % 9 === 1 ? "'=1+1" : `Company ${n}`;
    const phone = i % 31 === 7 ? "5.5E+12" : i % 3 === 0 ? "+55 11 96123-4567" : "";
    const email = i % 41 === 5 ? "nobody" : person.email;
    const row = shape.row(person, n, { email, phone, company });
    if (i % 10 === 2) return [row, shape.row(person, n, { email: email.toUpperCase(), phone, company })];
    if (i % 10 === 3)
      return [row, shape.row(person, n, { email: email.toUpperCase(), phone, company: "New Ltd" })];
    if (i % 53 === 8) return [row.slice(0, -2)];
    if (i % 53 === 9) return [[...row, "more"], shape.header.map(() => " ")];
    return [row];
  });
}
