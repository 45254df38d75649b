import type { Preset, PresetField } from "./preset.ts";

/** Returns the columns of the addresses of a person, such as `Phone 1 - Value`: the first is the main one. */
const numbered = (
  what: string,
  main: PresetField,
  further: PresetField,
): Readonly<Record<string, PresetField>> =>
  Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [`${what} ${i + 1} - Value`, i === 0 ? main : further]),
  );

/** The columns that Google had until 2024 and has since; several values of a cell are separated by `:::`. */
export const GOOGLE_CONTACTS: Preset = {
  name: "google_contacts",
  tell: [
    [
      ...["E-mail 1 - Value", "Phone 1 - Value"],
      ...["E-mail 1 - Label", "E-mail 1 - Type", "Phone 1 - Label", "Phone 1 - Type"],
    ],
  ],
  also: [
    ...["First Name", "Last Name", "Given Name", "Family Name", "Name", "Labels", "Group Membership"],
    ...["Organization Name", "Organization 1 - Name", "File As"],
  ],
  columns: {
    Name: "name",
    "First Name": "first_name",
    "Given Name": "first_name",
    "Last Name": "last_name",
    "Family Name": "last_name",
    ...numbered("E-mail", "email", "emails"),
    ...numbered("Phone", "phone", "phones"),
    "Organization Name": "company",
    "Organization 1 - Name": "company",
    "Organization Title": "job_title",
    "Organization 1 - Title": "job_title",
    "Address 1 - City": "city",
    "Address 1 - Region": "state",
    "Address 1 - Country": "country",
    "Website 1 - Value": "website",
    Labels: "tags",
    "Group Membership": "tags",
    Notes: "note",
  },
  // Such as "* myContacts" and "* starred".
  ignoredTags: "* ",
};

/** The connections of a member: above the column names is a note. Few have an e-mail. */
export const LINKEDIN: Preset = {
  name: "linkedin",
  tell: [["Connected On", "Verbunden am", "Date de connexion"]],
  also: ["URL", "Position", "Poste", "Email Address"],
  columns: {
    "First Name": "first_name",
    Vorname: "first_name",
    Prénom: "first_name",
    "Last Name": "last_name",
    Nachname: "last_name",
    Nom: "last_name",
    "Email Address": "email",
    "E-Mail-Adresse": "email",
    "Adresse e-mail": "email",
    Company: "company",
    Unternehmen: "company",
    Entreprise: "company",
    Position: "job_title",
    Poste: "job_title",
    "Connected On": "first_touch",
  },
  custom: {
    URL: "linkedin_url",
    "Verbunden am": "connected_on",
    "Date de connexion": "connected_on",
  },
  identify: ["URL"],
};
