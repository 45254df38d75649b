import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { strFromU8, strToU8, unzipSync, zipSync } from "fflate";
import { type Static, Type } from "typebox";
import { Compile } from "typebox/compile";
import { QUESTION_KINDS } from "../../../src/contract/lists/files.ts";
import { LEAD_FIELDS } from "../../../src/contract/lists/lead-fields.ts";
import { sheetOf } from "./uploading.ts";

const closed = { additionalProperties: false } as const;
const Text = Type.String({ minLength: 1 });
const Kind = Type.Enum(QUESTION_KINDS);
const Objects = Type.Array(Type.Record(Type.String(), Type.Unknown()));

const Answer = Type.Object(
  {
    kind: Kind,
    /** The question is about these columns, perhaps among others. */
    columns: Type.Optional(Type.Array(Text)),
    /** The question's id or message, or what a choice reads in the file, contains this text. */
    about: Type.Optional(Text),
    /** The id of a choice, or a text that its id or label contains; of several, the first that a choice has. */
    choose: Type.Union([Text, Type.Array(Text, { minItems: 1 })]),
    /** Whether the file may be understood without this question. */
    optional: Type.Optional(Type.Literal(true)),
  },
  closed,
);
export type Answer = Static<typeof Answer>;

const fields = Object.fromEntries(LEAD_FIELDS.map(({ name }) => [name, Type.Optional(Type.Unknown())]));
const WantedLead = Type.Object(
  {
    ...fields,
    /** All its phone numbers, whichever is the main one. */
    numbers: Type.Optional(Type.Array(Text)),
    /** Texts that the lead has, whichever of its fields or notes keeps them. */
    somewhere: Type.Optional(Type.Array(Text)),
  },
  closed,
);
export type WantedLead = Record<string, unknown> & { numbers?: string[]; somewhere?: string[] };

const count = Type.Optional(Type.Integer({ minimum: 0 }));
const Cells = Type.Array(
  Type.Array(
    Type.Union([
      Type.String(),
      Type.Object({ number: Text, date: Type.Optional(Type.Literal(true)) }, closed),
    ]),
  ),
);

/** What a careful person expects of a file. A text key may be left out where any outcome is right. */
const Expected = Type.Object(
  {
    /** The program or situation, in one sentence. */
    about: Text,
    /** What the file was made from. */
    source: Text,
    project: Type.Object(
      {
        country: Type.Union([Text, Type.Null()]),
        timezone: Text,
        statuses: Type.Optional(Type.Array(Text)),
        /** Custom fields to create. */
        fields: Type.Optional(Objects),
      },
      closed,
    ),
    /** Leads that exist before the import. */
    before: Type.Optional(Objects),
    /** The file's cells, if it is a spreadsheet; `more` are further sheets, `merges` ranges of the first one. */
    sheet: Type.Optional(
      Type.Object(
        {
          rows: Cells,
          more: Type.Optional(Type.Record(Type.String(), Cells)),
          merges: Type.Optional(Type.Array(Text)),
        },
        closed,
      ),
    ),
    /** The upload is refused; then nothing else is checked. */
    refused: Type.Optional(Type.Object({ status: Type.Integer(), code: Text }, closed)),
    preset: Type.Optional(Type.Union([Text, Type.Null()])),
    /** As read after the answers. */
    encoding: Type.Optional(Text),
    header_row: Type.Optional(Type.Union([Type.Integer({ minimum: 1 }), Type.Null()])),
    asks: Type.Optional(Type.Array(Kind)),
    asksNot: Type.Optional(Type.Array(Kind)),
    /** Kinds of questions without whose answer the commit is refused. */
    blocking: Type.Optional(Type.Array(Kind)),
    /** Columns that fill something, or that a question is about. */
    kept: Type.Optional(Type.Array(Text)),
    answers: Type.Optional(Type.Array(Answer)),
    /** Changes of the mapping after the answers, such as its mode. */
    mapping: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    /** `failed` is 0 unless it is named. */
    counts: Type.Optional(
      Type.Object(
        {
          ...{ rows: count, created: count, updated: count, unchanged: count },
          ...{ skipped: count, failed: count, opted_out: count },
        },
        closed,
      ),
    ),
    leads: Type.Optional(Type.Array(WantedLead)),
    /** Notes of timelines; `lead` is an e-mail address or a displayed name. */
    notes: Type.Optional(Type.Array(Type.Object({ lead: Text, text: Text }, closed))),
    /** The e-mail addresses, else phones, else names, of all leads that must not be contacted. */
    optedOut: Type.Optional(Type.Array(Text)),
    /** How many leads the same file creates a second time: 0 unless it is named. */
    againCreates: count,
  },
  closed,
);
export type Expected = Static<typeof Expected>;

/** A file of the corpus. */
export interface Case {
  name: string;
  file: string;
  bytes: Buffer;
  expected: Expected;
}

const ENDING = ".expected.json";
const check = Compile(Expected);

/** Returns the files of a folder with what is expected of each; refuses unknown keys, and files without an expectation. */
export function casesIn(folder: URL): Case[] {
  const names = readdirSync(folder).sort();
  const cases = names.filter((name) => name.endsWith(ENDING)).map((name) => readCase(folder, names, name));
  const known = new Set(cases.flatMap(({ name, file }) => [name + ENDING, file]));
  assert.deepEqual(
    names.filter((name) => !known.has(name)),
    [],
    "each file has an expectation",
  );
  return cases;
}

function readCase(folder: URL, names: readonly string[], expectation: string): Case {
  const name = expectation.slice(0, -ENDING.length);
  const expected: unknown = JSON.parse(readFileSync(new URL(expectation, folder), "utf8"));
  const faults = [...check.Errors(expected)].map((fault) => `${fault.instancePath}: ${fault.message}`);
  assert.deepEqual(faults, [], expectation);
  const known = expected as Expected;
  const file = names.find((each) => each !== expectation && each.startsWith(`${name}.`));
  assert.notEqual(file === undefined, known.sheet === undefined, `${name}: one file, or a sheet`);
  const bytes = file === undefined ? spreadsheet(known) : readFileSync(new URL(file, folder));
  return { name, file: file ?? `${name}.xlsx`, bytes, expected: known };
}

function spreadsheet({ sheet }: Expected): Buffer {
  const { rows = [], more = {}, merges = [] } = sheet ?? {};
  const plain = sheetOf(rows, more);
  if (merges.length === 0) return plain;
  const parts = unzipSync(new Uint8Array(plain));
  const path = "xl/worksheets/sheet1.xml";
  const cells = merges.map((range) => `<mergeCell ref="${range}"/>`).join("");
  const xml = strFromU8(parts[path] ?? new Uint8Array()).replace(
    "</sheetData>",
    `</sheetData><mergeCells count="${merges.length}">${cells}</mergeCells>`,
  );
  return Buffer.from(zipSync({ ...parts, [path]: strToU8(xml) }));
}
