import assert from "node:assert/strict";
import { test } from "node:test";
import {
  detectDelimiter,
  endOfHeader,
  linesIn,
} from "../../../src/domain/imports/file/table/detect-delimiter.ts";
import { readFile } from "./support/read-file.ts";

for (const [header, expected] of [
  ["name,email", ","],
  ["name;email", ";"],
  ["name\temail", "\t"],
  ["name|email", "|"],
  ["name", ","],
  ["", ","],
  ["name;price, net;tax, due;email", ";"],
  ['"last, first, middle";email', ";"],
  ['"a ""quoted, odd, long"" name";email', ";"],
  ['"name";"e-mail, first, second, third"', ";"],
  ["name;e-mail,phone", ","],
] as const)
  test(`the header ${JSON.stringify(header)} is cut at ${JSON.stringify(expected)}`, () => {
    assert.equal(detectDelimiter(header), expected);
  });

test("the header ends at the first line break outside of quotes", () => {
  assert.equal(endOfHeader("a,b\n1,2\n"), 3);
  assert.equal(endOfHeader("a,b\r\n1,2"), 3);
  assert.equal(endOfHeader('"a\nb",c\n1,2'), 7);
  assert.equal(endOfHeader('"a ""\n"" b",c\n1'), 13);
  assert.equal(endOfHeader("a,b"), -1);
  assert.equal(endOfHeader('"a\nb'), -1);
});

/** A text and its delimiter. */
const TEXTS: readonly [about: string, text: string, delimiter: string][] = [
  ["the header's, if most rows have it", "Name;City, zip\nAna;Porto\nBo;Faro, 8000\n", ";"],
  ["the header's, if rows have more of another", "Name;Notes\nAna;a,b,c\nBo;d,e,f\n", ";"],
  ["a comma in a file of one column", "Tags\na;b\nc;d\ne;f\n", ","],
  ["a comma in a list of addresses", "E-mails\na@x.example;b@x.example\nc@x.example;d@x.example\n", ","],
  [
    "that below a title without any",
    "Leads of October\nName;Email;City\nAna;ana@x.example;\nBo;;Faro\n",
    ";",
  ],
  ["that below a title with another", "Leads, October\nName\tEmail\nAna\tana@x.example\n", "\t"],
  ["that below a title and a gap", "Leads, October\n\nName|Email\nAna|ana@x.example\n", "|"],
  ["that below a title, before decimal commas", "Leads\nName;Value\nAna;10,5\nBo;3,25\nCy;1,0\n", ";"],
  ["that below a quoted title", '"Leads, all; October"\nName;Email\nAna;ana@x.example\n', ";"],
  ["that below a title of inches", 'Pipes of 5" and 6"\nName;Email\nAna;ana@x.example\n', ";"],
  ["that of a header without rows below a title", "Leads, October\nName;Email\n", ";"],
  ["that of Excel's note", "sep=|\nName;Email\nAna;x\n", "|"],
  ["that of a table with a first column without name", "\tName\tEmail\n1\tAna\ta@x.example\n", "\t"],
  ["that of most lines, if the header has it in quotes", '"Name; all",Email\n"Sol; Ana",a@x.example\n', ","],
];

for (const [about, text, delimiter] of TEXTS)
  test(`the delimiter is ${about}`, async () => {
    assert.equal((await readFile(text)).shape.delimiter, delimiter);
  });

test("without a header, the delimiter is that of the first line", async () => {
  const text = "Leads, October\nName;Email;City\nAna;ana@x.example;\nBo;;Faro\n";
  assert.equal((await readFile(text, { header: false })).shape.delimiter, ",");
});

test("lines are divided outside quotes, at every kind of line break", () => {
  assert.deepEqual(linesIn('a,"b\nc"\r\nd\re\n\nf', 9), ['a,"b\nc"', "d", "e", "", "f"]);
  assert.deepEqual(linesIn("a\nb\nc\n", 2), ["a", "b"]);
});
