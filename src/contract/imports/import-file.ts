import { type Static, Type } from "typebox";
import { closed } from "../basics/basics.ts";
import { DELIMITERS, IMPORT_FORMATS, PRESET_NAMES } from "../lists/files.ts";
import { ImportMapping } from "./import-mapping.ts";

/** How to read a file; what is left out is detected. */
export const FileChoices = Type.Object(
  {
    format: Type.Optional(Type.Enum(IMPORT_FORMATS)),
    encoding: Type.Optional(
      Type.String({
        maxLength: 40,
        description:
          "A name of the Encoding Standard, in any case, such as utf-8, windows-1251 or Shift_JIS.",
      }),
    ),
    delimiter: Type.Optional(Type.Enum(DELIMITERS)),
    header: Type.Optional(Type.Boolean({ description: "Whether a row has the column names." })),
    header_row: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000,
        description: "The line of the column names; the rows above it are left out.",
      }),
    ),
    footer: Type.Optional(
      Type.Boolean({
        description: "Whether rows at the end that look like totals or remarks are left out. Default: true.",
      }),
    ),
    sheet: Type.Optional(
      Type.String({
        maxLength: 200,
        description: "For a spreadsheet: the sheet to read; defaults to the first.",
      }),
    ),
  },
  closed,
);

export const FileName = Type.Optional(Type.String({ maxLength: 300 }));

const preset = Type.Optional(
  Type.Enum([...PRESET_NAMES, "none"], { description: "The program that wrote the file, or none." }),
);

/** A mapping in a query or a form. */
const MappingText = Type.Optional(
  Type.String({
    maxLength: 100_000,
    description: "A mapping as JSON, if headers differ from the columns' keys or labels.",
  }),
);

const ofFile = { file_name: FileName, ...FileChoices.properties };
const { mode, dates, decimals } = ImportMapping.properties;
/** How the rows of a file are written to a dataset. */
export const ofRows = { mode, dates, decimals, mapping: MappingText };

/** The query parameters of a file of leads. */
export const LeadsFileQuery = Type.Object({ ...ofFile, preset });

/** The query parameters of a file of dataset rows. */
export const RowsFileQuery = Type.Object({ ...ofFile, ...ofRows });

/** The query parameter that selects a dataset. */
export const InDataset = {
  dataset: Type.Optional(
    Type.String({ description: "The id or key of the dataset, if the file has its rows." }),
  ),
};

/** The query parameters of a file of rows whose dataset is one of them. */
export const DatasetFileQuery = Type.Object({ ...RowsFileQuery.properties, ...InDataset });

/** The query parameters of a file of either kind. */
export const FileQuery = Type.Object({
  ...LeadsFileQuery.properties,
  ...InDataset,
  ...ofRows,
});

const TEXT = Type.String();
const BYTES = Type.String({ format: "binary" });

/** Returns the media types of an uploaded file: the body itself, or a form with these fields before the file. */
export const uploadTypes = (fields: "leads and rows" | "rows") => ({
  "text/csv": TEXT,
  "text/tab-separated-values": TEXT,
  "text/plain": TEXT,
  "application/x-ndjson": TEXT,
  "application/ndjson": TEXT,
  "application/jsonl": TEXT,
  "application/json": TEXT,
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": BYTES,
  "application/vnd.ms-excel": BYTES,
  "application/octet-stream": BYTES,
  "multipart/form-data": Type.Object(
    { ...ofFile, ...(fields === "rows" ? {} : { preset }), ...ofRows, file: BYTES },
    { ...closed, description: "The options must be sent before the file." },
  ),
});

/** How to read an uploaded file again. */
const { sheet: _, ...choices } = FileChoices.properties;
export const FileReading = Type.Object(
  { ...choices, preset },
  {
    $id: "FileReading",
    ...closed,
    description:
      "How to read the file; what is left out is detected. Of a spreadsheet only the header can differ.",
  },
);
export type FileReading = Static<typeof FileReading>;
