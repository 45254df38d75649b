import { type Static, Type } from "typebox";
import { Actor } from "../basics/actor.ts";
import { nextCursor, orNull, time, timeOrNull } from "../basics/basics.ts";
import { CUSTOM_FIELD_TYPES } from "../lists/column-types.ts";
import {
  DATE_ORDERS,
  DECIMALS,
  DELIMITERS,
  ENCODINGS,
  GUESSED_BY,
  IMPORT_FORMATS,
  PRESET_NAMES,
} from "../lists/files.ts";
import { IMPORT_STATES } from "../lists/states.ts";
import { ImportMapping } from "./import-mapping.ts";
import { ImportQuestion } from "./import-question.ts";

const ImportState = Type.Enum(IMPORT_STATES, {
  $id: "ImportState",
  description:
    "ready waits for a mapping or a commit; checking is a dry run; waiting and running are a commit. done, failed, " +
    "cancelled and undone are final, except that a failed or cancelled import can be committed again.",
});

/** The file of an import, as it was read. */
const ImportFile = Type.Object(
  {
    name: Type.String(),
    bytes: orNull(Type.Integer(), { description: "Null if the command line imported it." }),
    format: orNull(Type.Enum(IMPORT_FORMATS)),
    encoding: orNull(Type.Enum(ENCODINGS)),
    bom: orNull(Type.Boolean(), {
      description: "Whether it starts with a byte order mark.",
    }),
    delimiter: orNull(Type.Enum(DELIMITERS), { description: "Null for NDJSON and JSON." }),
    header_row: orNull(Type.Integer(), {
      description: "The line of the column names; null if there is none.",
    }),
    rows: orNull(Type.Integer(), { description: "How many records it has, without the header." }),
    sheet: orNull(Type.String(), { description: "Of a spreadsheet: the sheet that is read." }),
    sheets: orNull(Type.Array(Type.String()), {
      description: "Of a spreadsheet: all its sheets.",
    }),
  },
  { $id: "ImportFile" },
);

export const FoundPreset = Type.Object(
  {
    name: Type.Enum(PRESET_NAMES),
    because: Type.Array(Type.String(), {
      description: "The headers that show it; empty if the sender named the program.",
    }),
  },
  { $id: "FoundPreset", description: "The program that wrote the file." },
);
export type FoundPreset = Static<typeof FoundPreset>;

/** A column of an import's file. */
export const ImportColumn = Type.Object(
  {
    name: Type.String({ description: "Its header; distinct in the file." }),
    filled: Type.Integer({ description: "How many of its cells are not blank." }),
    samples: Type.Array(Type.String(), { description: "The first five distinct values." }),
    values: orNull(Type.Array(Type.String()), {
      description: "All distinct values if there are at most 30.",
    }),
    dates: orNull(Type.Enum([...DATE_ORDERS, "ambiguous", "mixed"]), {
      description: "The order of day and month in its dates; null if no cell is a numeric date.",
    }),
    decimals: orNull(Type.Enum([...DECIMALS, "ambiguous", "mixed"]), {
      description: "The decimal separator of its numbers; null if no number shows it.",
    }),
    guess: Type.Optional(
      Type.Object(
        {
          field: Type.String(),
          by: Type.Enum(GUESSED_BY, { description: "words is the least certain." }),
        },
        { description: "The suggested field, and why; left out if there is none." },
      ),
    ),
  },
  { $id: "ImportColumn", description: "A column of an import's file." },
);
export type ImportColumn = Static<typeof ImportColumn>;

const SkippedColumn = Type.Object(
  {
    name: Type.String({ description: "Its header." }),
    filled: Type.Integer({ description: "How many of its cells are not blank." }),
  },
  { $id: "SkippedColumn", description: "A column of an import's file that fills nothing." },
);

const counts = {
  rows: Type.Integer({ description: "Processed rows; the sum of the next five." }),
  created: Type.Integer(),
  updated: Type.Integer(),
  unchanged: Type.Integer(),
  skipped: Type.Integer(),
  failed: Type.Integer(),
  opted_out: Type.Integer({
    description: "Of leads: rows that set do_not_contact, whatever their lead had before.",
  }),
  opt_outs_kept: Type.Integer({
    description:
      "Of leads: rows that would have cleared the do_not_contact of their lead, which needs clear_opt_out in the mapping; " +
      "0 without the permission to read leads.",
  }),
};

const DryRun = Type.Object(
  {
    ...counts,
    repeated: orNull(Type.Integer(), {
      description: "Rows of a lead that an earlier row of the file created or changed; null for a dataset.",
    }),
    finished_at: time,
  },
  { $id: "DryRun", description: "The counts that a commit will have." },
);

const UndoCounts = Type.Object(
  {
    deleted: Type.Integer({ description: "Created by the import, and deleted." }),
    restored: Type.Integer({ description: "Changed by the import, and changed back." }),
    left: Type.Integer({ description: "Left unchanged, because they have changed since." }),
  },
  { $id: "UndoCounts", description: "What an undo has done so far." },
);

/** A file of leads or of dataset rows, from its upload to its undo. */
export const Import = Type.Object(
  {
    id: Type.String(),
    state: ImportState,
    file: ImportFile,
    dataset: Type.Union(
      [
        Type.Object({
          id: Type.String(),
          key: orNull(Type.String(), { description: "Null once the dataset is deleted." }),
        }),
        Type.Null(),
      ],
      { description: "The dataset that the rows are written to; null for leads." },
    ),
    preset: orNull(FoundPreset, {
      description: "The program that wrote the file; null if it is unknown.",
    }),
    columns: Type.Array(ImportColumn, { description: "In the order of the file." }),
    mapping: orNull(ImportMapping),
    questions: Type.Array(ImportQuestion, {
      description: "What the file leaves open; nothing can be written while a blocking one has no answer.",
    }),
    skipped_columns: Type.Array(SkippedColumn, {
      description: "The columns with content that the mapping does not use. An import loses them.",
    }),
    dry_run: orNull(DryRun, {
      description: "The last dry run; null after another mapping or reading of the file.",
    }),
    ...counts,
    undo: orNull(UndoCounts),
    error: orNull(Type.Object({ code: Type.String(), message: Type.String() }), {
      description: "Why the last dry run, commit or undo failed.",
    }),
    change_id: orNull(Type.String(), {
      description:
        "The change that its leads or rows are; null before it has written any, and without the permission to read them.",
    }),
    actor: Actor,
    created_at: time,
    started_at: timeOrNull,
    finished_at: timeOrNull,
    expires_at: Type.String({
      format: "date-time",
      description: "When its file, its failed rows and its undo are deleted.",
    }),
    erased_at: orNull(Type.String({ format: "date-time" }), {
      description:
        "When its file, failed rows and samples were removed with an erased person; null otherwise.",
    }),
  },
  {
    $id: "Import",
    description: "A file of leads or of dataset rows, from its upload to its undo.",
    examples: [
      {
        id: "imp_019a2b3c4d5e7f8a9b0c1d2e3f405162",
        state: "ready",
        file: {
          name: "leads.csv",
          bytes: 20_480,
          format: "csv",
          encoding: "utf-8",
          bom: false,
          delimiter: ",",
          header_row: 1,
          rows: 250,
          sheet: null,
          sheets: null,
        },
        dataset: null,
        preset: null,
        columns: [
          {
            name: "E-mail",
            filled: 250,
            samples: ["ana@example.com", "bo@example.com"],
            values: null,
            dates: null,
            decimals: null,
            guess: { field: "email", by: "words" },
          },
        ],
        mapping: { columns: { "E-mail": "email" } },
        questions: [],
        skipped_columns: [{ name: "Shoe size", filled: 12 }],
        dry_run: null,
        rows: 0,
        created: 0,
        updated: 0,
        unchanged: 0,
        skipped: 0,
        failed: 0,
        opted_out: 0,
        opt_outs_kept: 0,
        undo: null,
        error: null,
        change_id: null,
        actor: { type: "key", id: "key_019a2b3c4d5e7f8a9b0c1d2e3f405162", label: "Sync" },
        created_at: "2026-03-31T14:30:00.123456+00:00",
        started_at: null,
        finished_at: null,
        expires_at: "2026-04-30T14:30:00.123456+00:00",
        erased_at: null,
      },
    ],
  },
);
export type Import = Static<typeof Import>;

export const ImportList = Type.Object(
  { imports: Type.Array(Import, { description: "Newest first." }), next_cursor: nextCursor },
  { $id: "ImportList" },
);

/** What a column of an import's file can fill. */
export const FillableField = Type.Object(
  {
    name: Type.String({ description: "The name for the mapping." }),
    type: Type.Enum([...CUSTOM_FIELD_TYPES, "raw", "list"], {
      description:
        "How its cells are read. raw is read verbatim, list as texts separated by commas or semicolons.",
    }),
    options: Type.Array(Type.String(), { description: "Of an enum." }),
  },
  { $id: "FillableField", description: "A field of leads, or a column of a dataset, that a file can fill." },
);
export type FillableField = Static<typeof FillableField>;

export const FillableFields = Type.Object({ fields: Type.Array(FillableField) }, { $id: "FillableFields" });
