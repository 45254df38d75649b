import type { Encoding } from "../../../../src/contract/lists/files.ts";
import type { Words } from "../../words/use-words.ts";

const ENGLISH = {
  western: "Western European",
  central: "Central European",
  south: "South European",
  nordic: "Nordic",
  baltic: "Baltic",
  celtic: "Celtic",
  cyrillic: "Cyrillic",
  ukrainian: "Ukrainian",
  greek: "Greek",
  turkish: "Turkish",
  hebrew: "Hebrew",
  arabic: "Arabic",
  vietnamese: "Vietnamese",
  thai: "Thai",
  japanese: "Japanese",
  simplified: "Simplified Chinese",
  traditional: "Traditional Chinese",
  korean: "Korean",
};

const PORTUGUESE: typeof ENGLISH = {
  western: "Europa Ocidental",
  central: "Europa Central",
  south: "Sul da Europa",
  nordic: "nórdico",
  baltic: "báltico",
  celtic: "celta",
  cyrillic: "cirílico",
  ukrainian: "ucraniano",
  greek: "grego",
  turkish: "turco",
  hebrew: "hebraico",
  arabic: "árabe",
  vietnamese: "vietnamita",
  thai: "tailandês",
  japanese: "japonês",
  simplified: "chinês simplificado",
  traditional: "chinês tradicional",
  korean: "coreano",
};

/** Each encoding as programs write its name, and the letters that it is for. */
const NAMES: Readonly<Record<Encoding, readonly [name: string, letters?: keyof typeof ENGLISH]>> = {
  "utf-8": ["UTF-8"],
  "utf-16le": ["UTF-16 LE"],
  "utf-16be": ["UTF-16 BE"],
  "windows-1252": ["Windows-1252", "western"],
  "windows-1250": ["Windows-1250", "central"],
  "windows-1251": ["Windows-1251", "cyrillic"],
  "windows-1253": ["Windows-1253", "greek"],
  "windows-1254": ["Windows-1254", "turkish"],
  "windows-1255": ["Windows-1255", "hebrew"],
  "windows-1256": ["Windows-1256", "arabic"],
  "windows-1257": ["Windows-1257", "baltic"],
  "windows-1258": ["Windows-1258", "vietnamese"],
  "windows-874": ["Windows-874", "thai"],
  "iso-8859-2": ["ISO 8859-2", "central"],
  "iso-8859-3": ["ISO 8859-3", "south"],
  "iso-8859-4": ["ISO 8859-4", "baltic"],
  "iso-8859-5": ["ISO 8859-5", "cyrillic"],
  "iso-8859-6": ["ISO 8859-6", "arabic"],
  "iso-8859-7": ["ISO 8859-7", "greek"],
  "iso-8859-8": ["ISO 8859-8", "hebrew"],
  "iso-8859-10": ["ISO 8859-10", "nordic"],
  "iso-8859-13": ["ISO 8859-13", "baltic"],
  "iso-8859-14": ["ISO 8859-14", "celtic"],
  "iso-8859-15": ["ISO 8859-15", "western"],
  "koi8-r": ["KOI8-R", "cyrillic"],
  "koi8-u": ["KOI8-U", "ukrainian"],
  ibm866: ["IBM866, DOS", "cyrillic"],
  macintosh: ["Mac OS Roman", "western"],
  "x-mac-cyrillic": ["Mac OS", "cyrillic"],
  shift_jis: ["Shift_JIS", "japanese"],
  "euc-jp": ["EUC-JP", "japanese"],
  "iso-2022-jp": ["ISO-2022-JP", "japanese"],
  gbk: ["GBK", "simplified"],
  gb18030: ["GB18030", "simplified"],
  big5: ["Big5", "traditional"],
  "euc-kr": ["EUC-KR", "korean"],
};

const namesIn = (letters: typeof ENGLISH): Record<Encoding, string> => {
  const entries = Object.entries(NAMES).map(([encoding, [name, of]]) => [
    encoding,
    of === undefined ? name : `${name} (${letters[of]})`,
  ]);
  return Object.fromEntries(entries) as Record<Encoding, string>;
};

/** The encodings with the letters that they are for: `Windows-1251 (Cyrillic)`. */
export const ENCODING_NAMES: Words<Readonly<Record<Encoding, string>>> = {
  en: namesIn(ENGLISH),
  "pt-BR": namesIn(PORTUGUESE),
};
