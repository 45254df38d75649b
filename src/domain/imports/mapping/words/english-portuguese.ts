import type { WordTable } from "./word-table.ts";

export const ENGLISH: WordTable = {
  external_id: [
    "record id; contact id; lead id; leadid; customer id; client id; person id; prospect id; id; euid",
    // Dynamics
    "(do not modify) lead; (do not modify) contact",
  ],
  name: [
    "full name; contact name; person name; lead name; customer name; client name; contact person; fullname",
    "your name; invitee name; attendee name; what's your name",
  ],
  first_name: ["firstname; given name; fname; forename; invitee first name; your first name"],
  last_name: ["lastname; surname; family name; lname; invitee last name; your last name"],
  email: [
    "e-mail; email address; e-mail address; mail; person - email - work; primary email; contact email",
    "work email; business email; personal email; email 1; main email; your email; invitee email; attendee email",
  ],
  emails: [
    "secondary email; additional email; additional emails; other email; alternate email; email 2; email 3",
  ],
  phone: [
    "phone number; telephone; telephone number; mobile; mobile phone; mobile number; mobile phone number; cell",
    "cell phone; cellphone; cell number; whatsapp; whatsapp number; person - phone - work; work phone; home phone",
    "business phone; office phone; direct phone; contact number; phone no; mobile no; tel; primary phone; main phone",
    "phone 1; your phone; your tel; sms; text reminder number; phonenumber; mobilephone",
  ],
  phones: [
    "secondary phone; secondary phone number; additional phone; additional phones; other phone; alternate phone",
    "phone 2; phone 3; mobile 2",
  ],
  company: [
    "company name; organization; organisation; account name; organization name; organisation name; employer",
    "business name; company / account",
  ],
  job_title: ["title; position; role; designation; occupation; job position; job role"],
  website: ["website url; site; web site; url; web page; webpage; homepage; company website"],
  city: ["town; city / town; business city"],
  state: ["region; state/region; province; state/province; state or province"],
  country: ["country/region; country name; business country"],
  language: ["preferred language; primary language"],
  status: ["lead status; contact status"],
  lifecycle_stage: ["lifecycle stage; stage; funnel stage; pipeline stage"],
  score: ["lead score; contact score"],
  value: [
    "deal value; amount; deal amount; lead value; estimated value; opportunity amount; expected revenue",
  ],
  currency: ["currency code; currency iso code; deal currency"],
  tags: ["labels; label; tag; categories; contact tags"],
  note: [
    "notes; note; comments; comment; description; remarks; remark; observations; additional notes; message",
    "additional information; internal notes; your message",
  ],
  source: [
    "lead source; leadsource; original source; platform; contact source; traffic source; acquisition source",
  ],
  campaign: ["campaign name; primary campaign; utm campaign name"],
  created_at: [
    "create date; created date; created; created time; created on; date created; creation date; optin time",
    "date added; added on; sign up date; signup date; registration date; timestamp; submission date; submitted at",
    "submission time",
  ],
  last_activity_at: ["last activity date; last activity; last activity time"],
};

export const PORTUGUESE: WordTable = {
  external_id: ["código; id do lead; id do contato; id do cliente"],
  name: [
    "nome; nome completo; nome do lead; nome do contato; nome do cliente; contato; nome e sobrenome; seu nome",
  ],
  first_name: ["primeiro nome"],
  last_name: ["sobrenome; último nome"],
  email: [
    "endereço de email; endereço de e-mail; correio eletrônico; correio electrónico; email principal",
    "e-mail comercial; e-mail do lead; seu e-mail; e-mail profissional; e-mail corporativo",
  ],
  emails: [
    "e-mail pessoal; e-mail particular; e-mail secundário; outro e-mail; e-mail alternativo; e-mail 2",
  ],
  phone: [
    "telefone; celular; fone; telemóvel; telefone celular; número de telefone; número do telefone; telefone comercial",
    "telefone residencial; telefone principal; telefone fixo; número de celular; telefone móvel; telefone de contato",
    "telefone 1",
  ],
  phones: ["telefone secundário; outro telefone; telefone alternativo; telefone 2; celular 2"],
  company: ["empresa; nome da empresa; razão social; nome fantasia; organização"],
  job_title: ["cargo; função; ocupação; profissão"],
  website: ["página da web; site da empresa; página web"],
  city: ["cidade; município; localidade"],
  state: ["estado; uf; província"],
  country: ["país; país/região"],
  language: ["idioma; língua"],
  status: ["status do lead; situação do lead"],
  lifecycle_stage: ["estágio no funil; etapa do funil"],
  value: ["valor; valor do negócio; valor estimado"],
  currency: ["moeda"],
  tags: ["etiquetas; marcadores; categorias"],
  note: [
    "observações; observação; obs; anotações; anotação; comentários; comentário; notas; descrição; mensagem",
  ],
  source: ["origem; fonte; origem do lead; canal de origem"],
  campaign: ["campanha; nome da campanha"],
  created_at: [
    "data de criação; criado em; data de cadastro; data do cadastro; data de entrada; data de inclusão",
    "cadastrado em; carimbo de data/hora",
  ],
  last_activity_at: ["última atividade; data da última atividade"],
};
