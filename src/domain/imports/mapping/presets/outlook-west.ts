import type { OutlookLanguage } from "./outlook-language.ts";

const ENGLISH: OutlookLanguage = {
  first_name: ["First Name"],
  last_name: ["Last Name"],
  company: ["Company"],
  job_title: ["Job Title"],
  email: ["E-mail Address"],
  emails: ["E-mail 2 Address", "E-mail 3 Address"],
  phone: ["Mobile Phone"],
  phones: [
    ...["Business Phone", "Business Phone 2", "Home Phone", "Home Phone 2", "Primary Phone"],
    ...["Other Phone"],
  ],
  city: ["Business City", "Home City"],
  state: ["Business State", "Home State"],
  country: ["Business Country/Region", "Business Country", "Home Country/Region", "Home Country"],
  website: ["Web Page"],
  tags: ["Categories"],
  note: ["Notes"],
};

const GERMAN: OutlookLanguage = {
  first_name: ["Vorname"],
  last_name: ["Nachname"],
  company: ["Firma"],
  job_title: ["Position"],
  email: ["E-Mail-Adresse"],
  emails: ["E-Mail 2: Adresse", "E-Mail 3: Adresse"],
  phone: ["Mobiltelefon"],
  phones: [
    ...["Telefon geschäftlich", "Telefon geschäftlich 2", "Telefon privat", "Telefon privat 2"],
    ...["Haupttelefon", "Weiteres Telefon", "Telefon (privat)", "Telefon (privat 2)"],
    ...["Mobiltelefon 2"],
  ],
  city: ["Ort geschäftlich", "Ort privat"],
  state: ["Region geschäftlich", "Bundesland/Kanton privat"],
  country: ["Land/Region geschäftlich", "Land/Region privat"],
  website: ["Webseite"],
  tags: ["Kategorien"],
  note: ["Notizen"],
};

const SPANISH: OutlookLanguage = {
  first_name: [],
  last_name: ["Apellidos"],
  company: ["Organización", "Compañía"],
  job_title: ["Puesto"],
  email: ["E-mail Address", "Dirección de correo electrónico"],
  emails: ["Dirección de correo electrónico 2", "Dirección del correo electrónico 3"],
  phone: ["Mobile Phone", "Teléfono móvil", "Móvil"],
  phones: [
    ...["Teléfono del trabajo", "Business Phone 2", "Particular", "Home Phone 2"],
    ...["Teléfono principal", "Otro teléfono", "Teléfono particular"],
  ],
  city: ["Ciudad de trabajo", "Home City"],
  state: ["Provincia o estado de trabajo", "Home State"],
  country: ["País o región del trabajo", "País o región del domicilio"],
  website: ["Página web"],
  tags: ["Categorías"],
  note: ["Notes", "Notas"],
};

const FRENCH: OutlookLanguage = {
  first_name: ["Prénom"],
  last_name: [],
  company: ["Société"],
  // A first "Titre" is the salutation.
  job_title: ["Titre (2)", "Fonction"],
  email: ["Adresse de messagerie", "Adresse de courrier"],
  emails: [
    ...["Adresse de messagerie 2", "Adresse de messagerie 3", "Adresse de courrier 2"],
    ...["Adresse de courrier 3"],
  ],
  phone: ["Tél. mobile"],
  phones: [
    ...["Téléphone (bureau)", "Téléphone 2 (bureau)", "Téléphone (domicile)"],
    ...["Téléphone 2 (domicile)", "Téléphone principal", "Téléphone (autre)"],
  ],
  city: ["Ville (bureau)", "Ville (domicile)"],
  state: ["Dép/Région (bureau)", "Dép/Région (domicile)"],
  country: ["Pays/Région (bureau)", "Pays/Région (domicile)"],
  website: ["Page Web"],
  tags: ["Catégories"],
  note: ["Notes"],
};

const BRAZILIAN: OutlookLanguage = {
  first_name: ["Primeiro nome"],
  last_name: ["Sobrenome"],
  company: ["Empresa"],
  job_title: ["Cargo"],
  email: ["E-mail Address", "Endereço de email", "Endereço de e-mail"],
  emails: ["Endereço de email 2", "Endereço de email 3"],
  phone: ["Telefone celular"],
  phones: [
    ...["Telefone comercial", "Telefone comercial 2", "Telefone residencial"],
    ...["Telefone residencial 2", "Telefone principal", "Outro telefone"],
  ],
  city: ["Business City", "Cidade do endereço residencial"],
  state: ["Business State", "Estado"],
  country: ["País/Região da Empresa", "País/Região de Residência"],
  website: ["Página da Web"],
  tags: ["Categorias"],
  note: ["Anotações"],
};

const PORTUGUESE: OutlookLanguage = {
  first_name: ["Primeiro nome"],
  last_name: ["Apelido"],
  company: ["Empresa"],
  job_title: ["Cargo"],
  email: ["Endereço de correio electrónico", "Correio eletrónico", "Endereço de correio eletrónico"],
  emails: ["Endereço do correio electrónico 2", "Endereço do correio electrónico 3"],
  phone: ["Telemóvel"],
  phones: [
    ...["Telefone da empresa", "2º telefone da empresa", "Telefone da residência"],
    ...["2º telefone da residência", "Telefone principal", "Outro telefone"],
  ],
  city: ["Localidade da empresa", "Localidade da residência"],
  state: ["Distrito da empresa", "Distrito da residência"],
  country: ["País/Região da Empresa", "País da Residência/Região"],
  website: ["Página na Web"],
  tags: ["Categorias"],
  note: ["Notas"],
};

const ITALIAN: OutlookLanguage = {
  first_name: [],
  last_name: ["Cognome"],
  company: ["Società"],
  job_title: ["Posizione"],
  email: ["Indirizzo posta elettronica"],
  emails: ["Indirizzo posta elettronica 2", "Indirizzo posta elettronica 3"],
  phone: ["Cellulare"],
  phones: ["Ufficio", "Ufficio 2", "Abitazione", "Abitazione 2", "Telefono principale", "Altro telefono"],
  city: ["Città (uff.)", "Città (ab.)"],
  state: ["Provincia (uff.)", "Provincia (ab.)"],
  country: ["Paese (uff.)", "Paese (ab.)"],
  website: ["Pagina Web"],
  tags: ["Categorie"],
  note: ["Notes", "Note"],
};

const DUTCH: OutlookLanguage = {
  first_name: ["Voornaam"],
  last_name: ["Achternaam"],
  company: ["Bedrijf"],
  job_title: ["Functie"],
  email: ["E-mailadres"],
  emails: ["E-mailadres 2", "E-mailadres 3"],
  phone: ["Mobiele telefoon"],
  phones: [
    ...["Telefoon op werk", "Telefoon op werk 2", "Telefoon thuis", "Telefoon thuis 2"],
    ...["Hoofdtelefoon", "Andere telefoon"],
  ],
  city: ["Werkadres, plaats", "Huisadres, plaats"],
  state: ["Werkadres, provincie", "Huisadres, provincie"],
  country: ["Land/regio (werk)", "Land/regio (thuis)"],
  website: ["Webpagina"],
  tags: ["Categorieën"],
  note: ["Notities"],
};

/** Outlook's headers in English, German, Spanish, French, Portuguese (of Brazil and Portugal), Italian and Dutch. */
export const WESTERN: readonly OutlookLanguage[] = [
  ENGLISH,
  GERMAN,
  SPANISH,
  FRENCH,
  BRAZILIAN,
  PORTUGUESE,
  ITALIAN,
  DUTCH,
];
