import type { LeadFieldName } from "../../../contract/lists/lead-fields.ts";
import { CZECH, KOREAN } from "./words/czech-korean.ts";
import { ENGLISH, PORTUGUESE } from "./words/english-portuguese.ts";
import { DUTCH, GERMAN, POLISH, TURKISH } from "./words/germanic-polish-turkish.ts";
import { FRENCH, ITALIAN, SPANISH } from "./words/romance.ts";
import { CHINESE, JAPANESE, RUSSIAN } from "./words/russian-japanese-chinese.ts";
import type { WordField, WordTable } from "./words/word-table.ts";

/** A header in lower case, without accents and punctuation: `Person - Email - Work` is `person email work`. */
export const plainHeader = (header: string): string =>
  header
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** The languages in which headers are known. */
export const WORDS: readonly WordTable[] = [
  ...[ENGLISH, PORTUGUESE, SPANISH, FRENCH, ITALIAN, GERMAN, DUTCH, POLISH, TURKISH],
  ...[RUSSIAN, JAPANESE, CHINESE, CZECH, KOREAN],
];

/** The words of a table as they are written, with their fields. */
export const writtenWords = (table: WordTable): [word: string, field: WordField][] =>
  (Object.keys(table) as WordField[]).flatMap((field) =>
    (table[field] ?? [])
      .flatMap((words) => words.split(";"))
      .map((word): [string, WordField] => [word.trim(), field]),
  );

/** The words of a table in the form of `plainHeader`, with their fields. */
export const wordsOf = (table: WordTable): [word: string, field: WordField][] =>
  writtenWords(table).map(([word, field]) => [plainHeader(word), field]);

const FIELD_OF: ReadonlyMap<string, WordField> = new Map(WORDS.flatMap(wordsOf));

/** The field that a header commonly means. */
export const fieldByWords = (header: string): WordField | undefined => FIELD_OF.get(plainHeader(header));

/** Headers that mean the whole name alone and a part of it next to the other: of each pair, the given name is the first. */
const PAIRED: readonly (readonly [given: string, family: string])[] = [
  ["Nome", "Sobrenome"],
  ["Nome", "Cognome"],
  ["Nombre", "Apellidos"],
  ["Nombre", "Apellido"],
  ["Prénom", "Nom"],
  ["Vorname", "Name"],
  ["Voornaam", "Naam"],
  ["Name", "Surname"],
  ["Name", "Last name"],
  ["Name", "Nachname"],
  ["Имя", "Фамилия"],
  ["名", "姓"],
  ["名", "姓氏"],
  ["名字", "姓"],
  ["名字", "姓氏"],
  ["Ad", "Soyad"],
  ["Adı", "Soyadı"],
  ["İsim", "Soyisim"],
];

const PAIRS = PAIRED.map(([given, family]) => [plainHeader(given), plainHeader(family)] as const);

/**
 * Returns which headers are a part of the name because the other part is next to them, such as `Nome` and `Sobrenome`. A file with
 * another column for one of the parts has the whole name in `Nome`.
 */
export function nameFields(header: readonly string[]): ReadonlyMap<string, "first_name" | "last_name"> {
  const headerOf = new Map(header.map((name) => [plainHeader(name), name]));
  const isPart = (word: string) => /^(first|last) name$/.test(word) || PARTS.has(FIELD_OF.get(word) ?? "");
  for (const pair of PAIRS) {
    const [given, family] = pair.map((word) => headerOf.get(word));
    if (given === undefined || family === undefined) continue;
    if ([...headerOf.keys()].some((word) => isPart(word) && !pair.includes(word))) continue;
    return new Map([
      [given, "first_name"],
      [family, "last_name"],
    ]);
  }
  return new Map();
}

const PARTS: ReadonlySet<string> = new Set<LeadFieldName>(["first_name", "last_name"]);
