import assert from "node:assert/strict";
import { test } from "node:test";
import iconv from "iconv-lite";
import { ENCODINGS, type Encoding } from "../../../src/contract/lists/files.ts";
import { Refusal } from "../../../src/core/refusal.ts";
import { decodeText } from "../../../src/domain/imports/file/text/decode-text.ts";

/** The names of iconv-lite for what the Encoding Standard names otherwise. */
const ICONV: Readonly<Record<string, string>> = {
  ...{
    "x-mac-cyrillic": "maccyrillic",
    ibm866: "cp866",
    shift_jis: "cp932",
    big5: "cp950",
    "euc-kr": "cp949",
  },
};

const encoded = (text: string, encoding: Encoding): Buffer => iconv.encode(text, ICONV[encoding] ?? encoding);

async function* chunksOf(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

interface Reading {
  size?: number;
  given?: Encoding | undefined;
  headers?: string[];
}

async function read(bytes: Buffer, { size = 65_536, given, headers = [] }: Reading = {}) {
  const { text, found } = await decodeText(chunksOf(bytes, size), given, (cell) => headers.includes(cell));
  const parts: string[] = [];
  for await (const part of text) parts.push(part);
  return { text: parts.join(""), found, ...found.encodings };
}

const FILES: readonly [encoding: Encoding, language: string, text: string][] = [
  [
    "windows-1252",
    "German",
    "Nachname;Vorname;Straße;Ort\nMüller;Jörg;Hauptstraße 5;Köln\nGroß;Käthe;Am Bach 1;Fürth\n",
  ],
  [
    "windows-1252",
    "French",
    "Nom;Prénom;Société\nLefèvre;Hélène;Crêperie Benoît\nGarçon;François;Le Chêne\n",
  ],
  ["windows-1252", "Spanish", "Nombre;Apellidos;Teléfono\nJosé;Muñoz Núñez;600\nMaría;Ibáñez López;601\n"],
  ["windows-1252", "Portuguese", "Nome;Endereço;Município\nJoão;Rua da Conceição, nº 5;São Luís\n"],
  ["windows-1252", "Italian", "Cognome,Nome,Città\nPatanè,Nicolò,Forlì\nCalabrò,Giosuè,Cantù\n"],
  ["windows-1252", "Danish", "Efternavn;By\nSørensen;Ærøskøbing\nKjær;Åbenrå\nMøller;Rødovre\n"],
  ["windows-1252", "Swedish", "Efternamn;Förnamn\nSjöström;Pär\nÅkesson;Åsa\nÖberg;Göran\n"],
  ["windows-1252", "Icelandic", "Nafn;Borg\nÞórður Guðmundsson;Akureyri\nGuðrún Ægisdóttir;Höfn\n"],
  ["windows-1252", "English", "Name,Note\nAnn O’Brien,It’s “fine” – call her\nBob,doesn’t buy\n"],
  ["macintosh", "German", "Nachname;Vorname;Straße\nMüller;Jörg;Königstraße\nGroß;Käthe;Bäckerweg\n"],
  ["macintosh", "French", "Nom;Prénom;Société\nLefèvre;Hélène;Crêperie Benoît\nGarçon;François;Le Chêne\n"],
  ["macintosh", "Spanish", "Nombre;Teléfono\nJosé Muñoz;600\nMaría Ibáñez;601\n"],
  ["windows-1250", "Polish", "Nazwisko;Imię;Miasto\nWójcik;Małgorzata;Łódź\nDąbrowski;Paweł;Gdańsk\n"],
  ["iso-8859-2", "Polish", "Nazwisko;Imię;Miasto\nWójcik;Małgorzata;Łódź\nDąbrowski;Paweł;Gdańsk\n"],
  ["windows-1250", "Czech", "Příjmení;Jméno;Město\nDvořák;Jiří;Plzeň\nŠťastná;Božena;Děčín\n"],
  ["iso-8859-2", "Czech", "Příjmení;Jméno;Město\nDvořák;Jiří;Plzeň\nŠťastná;Božena;Děčín\n"],
  ["windows-1250", "Slovak", "Priezvisko;Meno\nHorváthová;Ľubica\nKováč;Ľudovít\nŽiak;Štefan\n"],
  ["windows-1250", "Hungarian", "Név;Cím;Cég\nSzőke Gergő;Fő utca 3;Kőműves Kft\nNagy Ernő;Győr;Tűz Bt\n"],
  ["windows-1250", "Croatian", "Prezime;Ime\nKovačević;Željko\nŠarić;Đurđa\nBožić;Zvonimir\n"],
  ["windows-1250", "Romanian", "Nume;Oraş\nŞtefănescu Mădălina;Bucureşti\nIoniţă Cătălin;Constanţa\n"],
  ["windows-1254", "Turkish", "Soyadı;Adı;Şehir\nYılmaz;Ayşe;İstanbul\nŞahin;Oğuz;Eskişehir\n"],
  ["windows-1257", "Latvian", "Uzvārds;Vārds;Pilsēta\nBērziņš;Jānis;Rīga\nKalniņa;Līga;Liepāja\n"],
  ["windows-1251", "Russian", "Фамилия;Имя;Телефон\nПетров;Пётр;+7999\nКузнецова;Анна;+7998\n"],
  ["koi8-r", "Russian", "Фамилия;Имя;Телефон\nПетров;Пётр;+7999\nКузнецова;Анна;+7998\n"],
  ["ibm866", "Russian", "Фамилия;Имя;Телефон\nПетров;Пётр;+7999\nКузнецова;Анна;+7998\n"],
  ["x-mac-cyrillic", "Russian", "Фамилия;Имя;Телефон\nПетров;Пётр;+7999\nКузнецова;Анна;+7998\n"],
  ["iso-8859-5", "Russian", "Фамилия;Имя;Телефон\nПетров;Пётр;+7999\nКузнецова;Анна;+7998\n"],
  ["windows-1251", "Ukrainian", "Прізвище;Ім'я;Місто\nШевченко;Олеся;Київ\nГолуб;Юрій;Чернігів\n"],
  ["windows-1251", "Bulgarian", "Фамилия;Име;Град\nИванов;Георги;София\nПетрова;Цветелина;Пловдив\n"],
  ["windows-1253", "Greek", "Επώνυμο;Όνομα\nΠαπαδόπουλος;Γιώργος\nΝικολάου;Ελένη\n"],
  ["windows-1255", "Hebrew", "שם משפחה;שם פרטי;עיר\nכהן;יעל;חיפה\nלוי;דוד;ירושלים\n"],
  ["windows-1256", "Arabic", "الاسم;المدينة\nمحمد الصالحي;القاهرة\nفاطمة حسن;الرياض\n"],
  ["windows-874", "Thai", "ชื่อ;นามสกุล\nสมชาย;ทองสินธุ์\nมาลี;ธรรมสถิต\n"],
  [
    "shift_jis",
    "Japanese",
    "氏名,メールアドレス,会社名\n佐藤花子,h@a.example,株式会社見本\n山田太郎,,ヤマダ商店\n",
  ],
  [
    "euc-jp",
    "Japanese",
    "氏名,メールアドレス,会社名\n佐藤花子,h@a.example,株式会社見本\n山田太郎,,ヤマダ商店\n",
  ],
  ["gbk", "Chinese", "姓名,电话,公司\n王伟,13800000000,北京样品有限公司\n李小红,13900000000,上海\n"],
  ["big5", "Chinese of Taiwan", "姓名,電話,公司\n陳小明,0912,台北範例有限公司\n林美玲,0913,高雄\n"],
  ["euc-kr", "Korean", "이름,전화,회사\n김민수,010,서울상사\n박지영,011,샾앤펲 주식회사\n"],
];

for (const [encoding, language, text] of FILES)
  test(`${language} in ${encoding} is recognised`, async () => {
    const { found, readings, sure, ...got } = await read(encoded(text, encoding));
    assert.deepEqual([found.encoding, readings?.[0]?.encoding, sure], [encoding, encoding, true]);
    assert.equal(got.text, text);
  });

const ROWS: readonly [encoding: Encoding, names: string[]][] = [
  ["windows-1252", ["Jörg Müller", "Käthe Groß", "Bärbel Böhm"]],
  ["windows-1252", ["João da Conceição", "Inês Magalhães"]],
  ["windows-1252", ["José Muñoz", "Zoë Brown", "Hélène Søndergård"]],
  ["macintosh", ["José Muñoz", "Zoë Brown", "Hélène Lefèvre"]],
  ["windows-1250", ["Małgorzata Wójcik", "Łukasz Żak"]],
  ["windows-1250", ["Jiří Dvořák", "Käthe Müller", "Jörg Groß"]],
  ["iso-8859-2", ["Jiří Dvořák", "Tomáš Šťastný"]],
  ["windows-1254", ["Ayşe Yılmaz", "OĞUZ ŞAHİN"]],
  ["windows-1251", ["Пётр Иванов", "Анна Кузнецова"]],
  ["koi8-r", ["ПЁТР ИВАНОВ", "АННА КУЗНЕЦОВА"]],
  ["shift_jis", ["山田太郎", "ﾔﾏﾀﾞ ﾀﾛｳ"]],
  ["gbk", ["张小明", "王芳"]],
  ["euc-kr", ["김민수", "이서연"]],
];

for (const [encoding, names] of ROWS)
  test(`the names ${names.join(", ")} in ${encoding} are enough`, async () => {
    const rows = names.map((name, i) => `${i},${name},p${i}@a.example\n`);
    const text = `id,name,email\n9,Al,al@a.example\n${rows.join("")}`;
    const { readings, sure, ...got } = await read(encoded(text, encoding));
    assert.deepEqual([readings?.[0]?.encoding, sure, got.text], [encoding, true, text]);
  });

const SINGLE: Partial<Record<Encoding, string[]>> = {
  "windows-1252": ["Zoë", "Sertãozinho", "Molière"],
  "windows-1250": ["Elbląg", "Petőfi"],
  "iso-8859-2": ["Szeląg"],
  macintosh: ["Åse", "Forlì"],
  "windows-1254": ["Işık"],
  "windows-1251": ["Юля"],
  "windows-1253": ["Ωρα"],
  ...{ shift_jis: ["林"], gbk: ["李"], big5: ["陳"], "euc-kr": ["김"] },
};

const singles = ENCODINGS.flatMap((encoding) =>
  (SINGLE[encoding] ?? []).map((name) => [encoding, name] as const),
);

for (const [encoding, name] of singles)
  test(`a file with nothing but ${name} in ${encoding} is read right, or unsure`, async () => {
    const rows = Array.from(
      { length: 200 },
      (_, i) => `${i},${i === 150 ? name : "Smith"},p${i}@a.example\n`,
    );
    const bytes = encoded(`id,name,email\n${rows.join("")}`, encoding);
    const { readings = [], sure } = await read(bytes);
    const found = readings.map(({ examples }) => examples[0]);
    assert.ok(found.includes(name), `${found}`);
    assert.ok(found[0] === name || sure === false, `${found}`);
  });

test("names of columns that are known settle what few letters leave open", async () => {
  const bytes = encoded("ê;Imię\nAl;Bo\n", "windows-1252");
  const polish = encoded("Nazwisko;Imię\nNowak;Ewa\n", "windows-1250");
  assert.equal((await read(polish)).sure, false);
  const { readings, sure } = await read(polish, { headers: ["Imię"] });
  assert.deepEqual([readings?.[0]?.encoding, sure], ["windows-1250", true]);
  assert.equal((await read(bytes)).readings?.[0]?.encoding, "windows-1252");
});

test("a first guess that later lines contradict is corrected at the end", async () => {
  const plain = "17,Jan Nowak,jan@a.example\n";
  const text = [
    "id,name,email\n1,Dębski,d@a.example\n",
    plain.repeat(4_000),
    "2,Małgorzata Wójcik,m@a.example\n3,Łukasz Żak,l@a.example\n4,Paweł Gałązka,p@a.example\n",
  ].join("");
  const bytes = encoded(text, "windows-1250");
  assert.ok(bytes.length > 100_000);
  const { found, readings, sure } = await read(bytes);
  assert.deepEqual([found.encoding, readings?.[0]?.encoding, sure], ["windows-1252", "windows-1250", true]);
  assert.equal((await read(bytes, { given: "windows-1250" })).text, text);
});

test("one line in a large file is seen", async () => {
  const rows = Array.from({ length: 60_000 }, (_, i) => `${i},Jörg Müller,j${i}@a.example\n`);
  rows[45_678] = "1,Łukasz Żak,l@a.example\n";
  const text = rows.join("");
  const { readings } = await read(encoded(text, "windows-1250"));
  assert.equal(readings?.[0]?.encoding, "windows-1250");
  assert.ok(readings[0].examples.includes("Łukasz Żak"));
});

test("chunks may end inside a character", async () => {
  const wide = ["shift_jis", "euc-jp", "gbk", "big5", "euc-kr"];
  for (const [encoding, , text] of FILES.filter(([each]) => wide.includes(each)))
    for (const ascii of [0, 4_095])
      for (const size of [1, 2, 3, 5, 7]) {
        const all = `${"x".repeat(ascii)}\n${text}`;
        const { readings, ...got } = await read(encoded(all, encoding), { size });
        assert.deepEqual([readings?.[0]?.encoding], [encoding]);
        const again = await read(encoded(all, encoding), { size, given: encoding });
        assert.equal(again.text, all);
        // What was guessed after one character may be wrong, as long as the end corrects it.
        if (got.found.encoding === encoding) assert.equal(got.text, all);
      }
});

test("a cut character at the end, or a wrong one, is replaced", async () => {
  const japanese = encoded("氏名,会社名\n佐藤花子,株式会社見本\n", "shift_jis");
  const cut = await read(Buffer.concat([japanese, Buffer.from([0x8d])]));
  assert.deepEqual([cut.found.encoding, cut.text.at(-1)], ["shift_jis", "\ufffd"]);
  const wrong = await read(Buffer.from([0x41, 0xff, 0x2c, 0x81, 0x2c, 0xb0, 0xa1, 0xb0]), {
    given: "euc-kr",
  });
  assert.equal(wrong.text, "A\ufffd,\ufffd,가\ufffd");
});

test("every encoding decodes when it is given", async () => {
  const wide: Partial<Record<Encoding, string>> = {
    ...{ "utf-8": "é漢😀", "utf-16le": "é漢😀", "utf-16be": "é漢😀", gb18030: "é漢字ᠠ😀", gbk: "漢字汉字" },
    ...{ shift_jis: "漢字カナｶﾅ①", "euc-jp": "漢字カナｶﾅ", big5: "漢字", "euc-kr": "한글샾뷁漢" },
  };
  for (const encoding of ENCODINGS) {
    const text = wide[encoding];
    const bytes =
      encoding === "iso-2022-jp"
        ? Buffer.from("A\x1b$B4A;z\x1b(BB")
        : text === undefined
          ? Buffer.from(Array.from({ length: 0xe0 }, (_, i) => i + 0x20))
          : encoded(text, encoding);
    const got = await read(bytes, { given: encoding, size: 3 });
    assert.equal(got.text, text ?? new TextDecoder(encoding).decode(bytes), encoding);
    assert.deepEqual(got.found, { encoding, bom: false });
  }
});

test("Korean has all syllables of Windows", async () => {
  const pairs = Array.from({ length: 0x7e * 0xbe }, (_, i) => [
    0x81 + Math.floor(i / 0xbe),
    0x41 + (i % 0xbe),
  ]);
  const known = pairs
    .map((pair) => Buffer.from(pair))
    .filter((pair) => /^[^\0-\x7f\ufffd]$/u.test(iconv.decode(pair, "cp949")));
  assert.ok(known.length > 17_000);
  const bytes = Buffer.concat(known);
  assert.equal((await read(bytes, { given: "euc-kr", size: 999 })).text, iconv.decode(bytes, "cp949"));
});

test("only letters leave doubts: not a mark, UTF-8, UTF-16 or what was given", async () => {
  const text = "Name\nZoë\n";
  for (const [bytes, given] of [
    [Buffer.from(text)],
    [Buffer.from("name\nAl\n")],
    [Buffer.from(`\ufeff${text}`)],
    [Buffer.from(`\ufeff${text}`, "utf16le")],
    [Buffer.from(text, "utf16le")],
    [encoded(text, "windows-1252"), "windows-1252"],
  ] as const)
    assert.equal((await read(bytes, { given })).found.encodings, undefined);
});

test("a file that is mostly UTF-8 is refused", async () => {
  const bad = Buffer.from([0xeb, 0x0a]);
  const refused: [bytes: Buffer, given: Encoding | undefined, line: number][] = [
    [Buffer.concat([Buffer.from("name\nZoë\nZo"), bad]), undefined, 3],
    [Buffer.concat([Buffer.from("name\nZo"), bad]), "utf-8", 2],
    [Buffer.concat([Buffer.from("\ufeffname\nZo"), bad]), undefined, 2],
  ];
  for (const [bytes, given, line] of refused)
    for (const size of [1, 65_536])
      await assert.rejects(read(bytes, { given, size }), (cause) => {
        assert.ok(cause instanceof Refusal);
        assert.equal(cause.code, "not_utf8");
        assert.match(cause.message, new RegExp(`after line ${line}\\)`));
        return true;
      });
});

test("each reading shows the same cells, short and without control characters", async () => {
  const long = `${"Straße ".repeat(20)}Łódź`;
  const text = `Nazwisko|Imię\n"Żak"|Łukasz\nWójcik|${long}\nŚwiątek|Michał\nBąk,"Gałązka Święcicka"\n`;
  const { readings = [] } = await read(encoded(text, "windows-1250"));
  assert.ok(readings.length >= 2 && readings.length <= 4);
  for (const [i, { examples }] of readings.entries()) {
    assert.equal(examples.length, 3);
    assert.deepEqual(
      examples.filter((each) => each.length > 40 || /\p{Cc}/u.test(each)),
      [],
    );
    if (i > 0) assert.notDeepEqual(examples, readings[0]?.examples);
  }
  for (const example of readings[0]?.examples ?? []) assert.ok(text.includes(example), example);
});

/** Small files as programs saved them: of Windows in Russia, of Excel in Japan and on an old Mac, of Outlook in Germany. */
const REAL: readonly [encoding: Encoding, base64: string, word: string][] = [
  [
    "windows-1251",
    "1ODs6Ovo/zvI7P870uXr5fTu7TtFLW1haWw7w+7w7uQKz+Xy8O7iO8+48vA7Kzc5OTkxMTEyMjMzO3BldHJAcnUtYS5leGFtcGxlO8rg5+Dt/Ao=",
    "Казань",
  ],
  [
    "shift_jis",
    "joGWvCyDgYFbg4uDQYNog4yDWCyTZJhilNSNhiyJ747QlrwsjnOL5pKskboKjbKToYnUjnEsaGFuYWtvQGpwLWEuZXhhbXBsZSwwMy05ODc2LTU0MzIsipSOronvjtCMqZZ7LImhlWyOcwo=",
    "横浜市",
  ],
  ["macintosh", "TmFtZSxFbWFpbCxDaXR5DVpvjiBNdZZveix6b2VAbWFjLWEuZXhhbXBsZSxCb2dvdIcN", "Zoé Muñoz"],
  [
    "windows-1252",
    "QW5yZWRlO1Zvcm5hbWU7TmFjaG5hbWU7RmlybWE7UG9zaXRpb247T3J0IGdlc2No5GZ0bGljaDtMYW5kL1JlZ2lvbiBnZXNjaORmdGxpY2g7TW9iaWx0ZWxlZm9uO1RlbGVmb24gZ2VzY2jkZnRsaWNoO0UtTWFpbC1BZHJlc3NlO0thdGVnb3JpZW4NCkZyYXU7S+R0aGU7V2Vp3ztC5GNrZXJlaSBXZWnfO0luaGFiZXJpbjtO/HJuYmVyZztEZXV0c2NobGFuZDsrNDkgMTcxIDIzNDU2Nzg7MDkxMSAxMjM0NTY7a2FldGhlQG9sLWEuZXhhbXBsZTtMZWFkDQo=",
    "Bäckerei Weiß",
  ],
];

for (const [encoding, base64, word] of REAL)
  test(`a file that a program saved in ${encoding} is read`, async () => {
    const { text, readings, sure } = await read(Buffer.from(base64, "base64"));
    assert.deepEqual([readings?.[0]?.encoding, sure], [encoding, true]);
    assert.ok(text.includes(word), text);
  });
