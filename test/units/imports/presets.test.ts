import assert from "node:assert/strict";
import { test } from "node:test";
import { PRESET_NAMES, type PresetName } from "../../../src/contract/lists/files.ts";
import { optOutState, plainWord } from "../../../src/contract/lists/opt-outs.ts";
import {
  fieldByWords,
  nameFields,
  plainHeader,
  WORDS,
  wordsOf,
} from "../../../src/domain/imports/mapping/header-words.ts";
import { isKnownHeader } from "../../../src/domain/imports/mapping/known-names.ts";
import { CALLS_ONLY, OPT_OUT_HEADERS } from "../../../src/domain/imports/mapping/opt-out-headers.ts";
import { PRESETS, type Preset } from "../../../src/domain/imports/mapping/preset-list.ts";
import { detectPresets } from "../../../src/domain/imports/mapping/presets.ts";
import { FILES } from "./support/program-headers.ts";

/** What a program's preset does with the columns of a file. */
function usesOf({ columns, custom = {} }: Preset, header: readonly string[]): Record<string, string> {
  const known = new Map([
    ...Object.entries(custom).map(([name, key]) => [plainHeader(name), `custom.${key}`] as const),
    ...Object.entries(columns).map(([name, field]) => [plainHeader(name), field] as const),
  ]);
  return Object.fromEntries(header.map((name) => [name, known.get(plainHeader(name)) ?? ""]));
}

test("every program's files are told from those of the others, in every form of its header", () => {
  for (const { program, header } of FILES) {
    const found = detectPresets(header);
    assert.deepEqual(
      found.map(({ preset }) => preset.name),
      [program],
      header.join(", "),
    );
    assert.ok((found[0]?.because.length ?? 0) > 1);
    assert.ok(
      found[0]?.because.every((name) => header.some((each) => plainHeader(each) === plainHeader(name))),
    );
  }
  const programs = new Set(FILES.map(({ program }) => program));
  assert.deepEqual(
    PRESET_NAMES.filter((name) => !programs.has(name)),
    [],
  );
});

test("the columns of every program fill the fields that mean the same", () => {
  for (const { program, header, uses } of FILES) {
    const preset = PRESETS.find(({ name }) => name === program);
    assert.ok(preset);
    const own = usesOf(preset, header);
    for (const [name, field] of Object.entries(uses)) assert.equal(own[name], field, `${program}: ${name}`);
  }
});

/** Headers that nobody's program writes: no preset may make a whole name a first name, for example. */
const NOBODY: readonly string[][] = [
  ["Nome", "Telefone", "E-mail"],
  ["email", "first_name", "last_name", "created_at", "status"],
  ["Name", "Company", "Phone", "Email", "Owner"],
  ["Date", "Name", "Email", "Message"],
  ["URL", "Company", "City"],
];

test("a file of no known program has no preset", () => {
  for (const header of NOBODY) assert.deepEqual(detectPresets(header), [], header.join(", "));
});

test("a file that two programs may have written has both, the likelier first", () => {
  const header = [
    "Record Id",
    "Lead Owner",
    "First Name",
    "Last Name",
    "Lead Status",
    "Lead Source",
    "Email",
  ];
  assert.deepEqual(
    detectPresets([...header, "Contact owner"]).map(({ preset }) => preset.name),
    ["zoho", "hubspot"],
  );
});

test("no preset fills two fields from one column, and all are named once", () => {
  assert.deepEqual(
    PRESETS.map(({ name }) => name),
    [...PRESET_NAMES],
  );
  for (const { name, columns } of PRESETS) {
    const fields = new Map<string, string>();
    for (const [header, field] of Object.entries(columns)) {
      const plain = plainHeader(header);
      assert.equal(fields.get(plain) ?? field, field, `${name}: ${header}`);
      fields.set(plain, field);
    }
  }
});

/** By language, headers and their fields. */
const LANGUAGES: Record<string, Record<string, string | undefined>> = {
  English: {
    ...{ LeadId: "external_id", "Lead Id": "external_id", "(Do Not Modify) Lead": "external_id" },
    ...{ "Full Name": "name", Surname: "last_name", "E-mail": "email", "Work email": "email" },
    ...{ "Cell phone": "phone", WhatsApp: "phone", "Office Phone": "phone", "Secondary phone": "phones" },
    ...{ Organisation: "company", Title: "job_title", Comments: "note", Remarks: "note", Categories: "tags" },
    ...{ "Lead Source": "source", "Date Created": "created_at", Timestamp: "created_at", Fax: undefined },
  },
  Portuguese: {
    ...{ Nome: "name", "Nome completo": "name", Sobrenome: "last_name", Celular: "phone" },
    ...{ Observações: "note", Obs: "note", Empresa: "company", UF: "state", "Data de criação": "created_at" },
    ...{ número_de_telefone: "phone", "Endereço de e-mail": "email", Etiquetas: "tags", Moeda: "currency" },
  },
  Spanish: {
    ...{ Nombre: "name", Apellidos: "last_name", "Correo electrónico": "email", Móvil: "phone" },
    ...{ Teléfono: "phone", Compañía: "company", Puesto: "job_title", Ciudad: "city", Provincia: "state" },
    ...{ País: "country", Comentarios: "note", Fuente: "source", "Fecha de alta": "created_at" },
  },
  French: {
    ...{ Prénom: "first_name", Nom: "name", "Nom de famille": "last_name", Courriel: "email" },
    ...{ "Téléphone portable": "phone", Société: "company", Fonction: "job_title", Ville: "city" },
    ...{ Pays: "country", Commentaires: "note", "Créé le": "created_at", Montant: "value", Statut: "status" },
  },
  Italian: {
    ...{ Cognome: "last_name", Cellulare: "phone", Azienda: "company", Ruolo: "job_title", Città: "city" },
    ...{ "Indirizzo e-mail": "email", Note: "note", Etichette: "tags", "Data di creazione": "created_at" },
  },
  German: {
    ...{ Vorname: "first_name", Nachname: "last_name", "E-Mail-Adresse": "email", Handy: "phone" },
    ...{
      "Telefon (geschäftlich)": "phone",
      Firma: "company",
      Ort: "city",
      Bundesland: "state",
      Land: "country",
    },
    ...{
      Bemerkungen: "note",
      Notizen: "note",
      Quelle: "source",
      Währung: "currency",
      "Erstellt am": "created_at",
    },
  },
  Dutch: { Voornaam: "first_name", Bedrijf: "company", Opmerkingen: "note", Woonplaats: "city" },
  Polish: {
    ...{ "Imię i nazwisko": "name", Imię: "first_name", Nazwisko: "last_name", "Numer telefonu": "phone" },
    ...{ Uwagi: "note", Firma: "company", Miasto: "city", Źródło: "source", "Data utworzenia": "created_at" },
  },
  Turkish: {
    "Ad Soyad": "name",
    "E-posta": "email",
    "Cep Telefonu": "phone",
    Şirket: "company",
    Notlar: "note",
  },
  Russian: {
    ...{ ФИО: "name", Имя: "name", Фамилия: "last_name", "Электронная почта": "email" },
    ...{ Телефон: "phone", "Мобильный телефон": "phone", Компания: "company", Должность: "job_title" },
    ...{ Город: "city", Заметки: "note", Комментарий: "note", Источник: "source", Страна: "country" },
  },
  Japanese: {
    ...{ 氏名: "name", 姓: "last_name", 名: "first_name", メールアドレス: "email", 電話番号: "phone" },
    ...{ 携帯電話: "phone", 会社名: "company", 役職: "job_title", メモ: "note", 備考: "note" },
    ...{ 都道府県: "state", 市区町村: "city", 作成日: "created_at", タグ: "tags", ｴ: undefined },
  },
  Chinese: {
    ...{ 姓名: "name", 手机号码: "phone", 手機: "phone", 邮箱: "email", 電子郵件: "email" },
    ...{ 公司名称: "company", 職位: "job_title", 备注: "note", 備註: "note", 来源: "source" },
    ...{ 城市: "city", 国家: "country", 标签: "tags", 创建时间: "created_at", 金额: "value" },
  },
};

test("headers in twelve languages have their fields, in any case and with or without accents", () => {
  for (const [language, headers] of Object.entries(LANGUAGES))
    for (const [header, field] of Object.entries(headers)) {
      assert.equal(fieldByWords(header), field, `${language}: ${header}`);
      assert.equal(fieldByWords(` ${header.toUpperCase()}: `), field, `${language}: ${header}`);
      assert.equal(fieldByWords(header.normalize("NFD")), field, `${language}: ${header}`);
      if (field !== undefined) assert.ok(isKnownHeader(header), header);
    }
});

test("no word means two fields", () => {
  const fields = new Map<string, string>();
  for (const [word, field] of WORDS.flatMap(wordsOf)) {
    assert.notEqual(word, "");
    assert.equal(fields.get(word) ?? field, field, word);
    fields.set(word, field);
  }
});

const [GIVEN, FAMILY] = ["first_name", "last_name"];

/** Headers, and which of them are parts of the name. */
const NAMES: [header: string[], parts: Record<string, string>][] = [
  [["Nome", "Sobrenome", "Email"], { Nome: GIVEN, Sobrenome: FAMILY }],
  [["Cognome", "Nome"], { Nome: GIVEN, Cognome: FAMILY }],
  [["NOMBRE", "APELLIDOS"], { NOMBRE: GIVEN, APELLIDOS: FAMILY }],
  [["Nom", "Prénom"], { Prénom: GIVEN, Nom: FAMILY }],
  [["Name", "Vorname"], { Vorname: GIVEN, Name: FAMILY }],
  [["Name", "Surname"], { Name: GIVEN, Surname: FAMILY }],
  [["Имя", "Фамилия", "Отчество"], { Имя: GIVEN, Фамилия: FAMILY }],
  [["姓", "名"], { 名: GIVEN, 姓: FAMILY }],
  [["Ad", "Soyad"], { Ad: GIVEN, Soyad: FAMILY }],
  [["Nome", "Email"], {}],
  [["Nome", "Primeiro nome", "Sobrenome"], {}],
  [["Name", "Vorname", "Nachname"], {}],
  [["name", "first_name", "last_name"], {}],
  [["Ad", "Campaign"], {}],
];

test("a word for a name is a part of it if the other part is next to it, unless another column has that part", () => {
  for (const [header, parts] of NAMES)
    assert.deepEqual(Object.fromEntries(nameFields(header)), parts, header.join(", "));
});

test("names of columns are known, and what people enter below them is not", () => {
  const known = [
    "First Name",
    "first_name",
    "Person - Name",
    "E-mail 1 - Value",
    "UNSUB_TIME",
    "Não contatar",
  ];
  for (const header of [...known, "external_id", "Phones / Primary Phone Calling Code", "Connected On"])
    assert.ok(isKnownHeader(header), header);
  for (const cell of ["", "Ana", "ana@x.example", "+55 11 96123-4567", "2026-01-31", "Acme Ltd", "São Paulo"])
    assert.ok(!isKnownHeader(cell), cell);
});

test("words for an opt-out in other languages, and what does not say so", () => {
  const words: Record<string, string | undefined> = {
    ...{ Unsubscribed: "withdrawn", "Dado de baja": "withdrawn", Désabonnée: "withdrawn" },
    ...{ Abgemeldet: "withdrawn", Disiscritto: "withdrawn", Afgemeld: "withdrawn", Wypisany: "withdrawn" },
    ...{ Отписался: "withdrawn", 配信停止: "withdrawn", 已退订: "withdrawn", 取消訂閱: "withdrawn" },
    ...{ "Nicht kontaktieren": "do_not_contact", Bounced: "do_not_contact", 请勿联系: "do_not_contact" },
    ...{ Verified: "none", Active: "none", Unconfirmed: "none", Abonné: "none", Подписан: "none" },
    ...{ Cancelled: undefined, Junk: undefined, Unresponsive: undefined },
  };
  for (const [word, state] of Object.entries(words)) assert.equal(optOutState(word), state, word);
});

test("headers about calls are also headers about contact; no header has two kinds or is a word for a field", () => {
  const kinds = new Map<string, string>();
  for (const [kind, headers] of Object.entries(OPT_OUT_HEADERS))
    for (const header of headers) {
      const plain = plainWord(header);
      assert.equal(kinds.get(plain) ?? kind, kind, header);
      assert.equal(fieldByWords(header), undefined, header);
      kinds.set(plain, kind);
    }
  for (const header of ["Do Not Call", "DoNotCall", "Não ligar", "Nicht anrufen", "请勿致电"])
    assert.ok(CALLS_ONLY.has(plainWord(header)), header);
  for (const header of CALLS_ONLY) assert.equal(kinds.get(header), "contact");
  for (const header of ["Do not contact", "DNC", "Do not email"])
    assert.ok(!CALLS_ONLY.has(plainWord(header)));
});

const SEEN: PresetName[] = PRESETS.filter(({ columns }) => Object.values(columns).includes("note")).map(
  ({ name }) => name,
);

test("the notes of every program that has some are kept", () => {
  for (const name of [
    "hubspot",
    "pipedrive",
    "mailchimp",
    "google_contacts",
    "outlook",
    "zoho",
    "suitecrm",
  ] as const)
    assert.ok(SEEN.includes(name), name);
});
