import { Type } from "typebox";
import { ClearingInput, IdInPath, paging } from "../basics/basics.ts";
import { endpoint, file, json, type Tag } from "../basics/endpoint.ts";
import { FillableFields, Import, ImportList } from "./import.ts";
import { FileQuery, FileReading, InDataset, uploadTypes } from "./import-file.ts";
import { ImportMapping } from "./import-mapping.ts";
import { ImportAnswers } from "./import-question.ts";
import { ErrorKinds, FailedRowList, KeptList, ofError } from "./import-rows.ts";

const tag: Tag = {
  name: "imports",
  description: "Files of leads or of a dataset's rows, from upload to undo.",
};

const shared = { tag, refusals: "v1", needs: ["leads:write", "datasets:import"] } as const;
const ofOne = { ...shared, params: IdInPath } as const;
const WHO =
  "Needs leads:read (datasets:read for an import into a dataset) besides, unless the key uploaded the file.";

/** What is in the file needs the permission to read as well. */
const contents = {
  ...ofOne,
  needs: [
    ["leads:write", "leads:read"],
    ["datasets:import", "datasets:read"],
  ],
} as const;

export const uploadImport = endpoint({
  ...shared,
  id: "imports.upload",
  method: "POST",
  url: "/api/v1/imports",
  summary: "Upload a file of leads or rows",
  description:
    "Stores the file and returns what was detected: encoding, columns, the program that wrote it, a mapping. Nothing is " +
    "written before the commit. With dataset, the file has its rows: the call accepts mode, dates, decimals and mapping " +
    "instead of preset, needs datasets:import instead of leads:write, and counts as a dataset import. At most 50 " +
    "uploaded files of a project can wait for a decision.",
  query: FileQuery,
  body: {
    types: uploadTypes("leads and rows"),
    description:
      "CSV (comma, semicolon, tab or |), NDJSON or a JSON array of up to 512 MB, in any encoding of the Encoding Standard, or XLSX of " +
      "up to 20 MB, as the body itself or as the file of a multipart form. The file's first bytes decide if the media type " +
      "does not.",
  },
  answers: { 201: json(Import, "The import, ready to be mapped and committed.", ["Location"]) },
  refused: [404, 422],
});

export const listImports = endpoint({
  ...shared,
  id: "imports.list",
  method: "GET",
  url: "/api/v1/imports",
  summary: "List imports",
  description:
    "Imports of leads, newest first, which needs leads:write; with dataset, imports into it, which needs " +
    "datasets:import.",
  query: Type.Object({ ...paging, ...InDataset }),
  answers: { 200: json(ImportList, "A page of imports.") },
  refused: [404],
});

export const getImport = endpoint({
  ...ofOne,
  id: "imports.get",
  method: "GET",
  url: "/api/v1/imports/{id}",
  summary: "Read an import",
  description:
    "The import with its file, mapping, progress and counts. A key without leads:read (datasets:read for an import into " +
    "a dataset) is shown no values of the file: samples are empty, values and dry_run are null, unchanged rows count as updated.",
  answers: { 200: json(Import, "The import.") },
  refused: [404],
});

export const setMapping = endpoint({
  ...ofOne,
  id: "imports.setMapping",
  method: "PUT",
  url: "/api/v1/imports/{id}/mapping",
  summary: "Map columns to fields",
  description:
    "Replaces the mapping. The commit creates the custom fields that it declares and fills but the project lacks, which needs " +
    `schema:write. questions of the import lists what the mapping leaves open. ${WHO}`,
  body: ImportMapping,
  examples: {
    leads: {
      columns: {
        "E-mail": "email",
        Name: "name",
        Stage: { field: "status", values: { Open: "new", Closed: "won" } },
        Signed: { field: "created_at", dates: "dmy" },
      },
      set: { source: "fair" },
    },
    rows: { columns: { Domain: "domain", Employees: "size" }, mode: "upsert" },
  },
  answers: { 200: json(Import, "The import with the mapping.") },
  refused: [404, 409, 410],
});

export const answerImport = endpoint({
  ...ofOne,
  id: "imports.answer",
  method: "PUT",
  url: "/api/v1/imports/{id}/answers",
  summary: "Answer what a file leaves open",
  description:
    "Chooses one of the choices of questions of the import; the mapping, and how the file is read, follow. Answers given before " +
    "stay. Files with the same columns, uploaded later to the same project, start with these answers. After another mapping was " +
    `set, only questions about its styles and options are asked. ${WHO}`,
  body: ImportAnswers,
  examples: {
    answers: { "date_order:Signed": "dmy", main_phone: "Mobile" },
  },
  answers: { 200: json(Import, "The import with the mapping and the questions that follow.") },
  refused: [404, 409, 410, 422],
});

export const rereadImport = endpoint({
  ...ofOne,
  id: "imports.reread",
  method: "PUT",
  url: "/api/v1/imports/{id}/file",
  summary: "Read the file with other options",
  description:
    "Reads the file again with another encoding, delimiter, header or preset; omitted options are detected. The mapping " +
    `is suggested again. ${WHO}`,
  body: FileReading,
  examples: {
    encoding: { encoding: "windows-1252", delimiter: ";" },
    "no header": { header: false },
  },
  answers: { 200: json(Import, "The import with what was detected.") },
  refused: [404, 409, 410, 422],
});

export const dryRun = endpoint({
  ...contents,
  id: "imports.dryRun",
  method: "POST",
  url: "/api/v1/imports/{id}/dry-run",
  summary: "Dry-run an import",
  description:
    "Does everything that the commit would do and rolls it back: the record's dry_run has the commit's counts, and its " +
    "failed rows can be listed.",
  answers: { 202: json(Import, "The import, in state checking.", ["Location"]) },
  refused: [404, 409, 410],
});

export const commitImport = endpoint({
  ...ofOne,
  id: "imports.commit",
  method: "POST",
  url: "/api/v1/imports/{id}/commit",
  summary: "Write the leads or rows of a file",
  description:
    "A worker writes them in batches, each with its counts. A cancelled or failed import continues where it stopped. " +
    "A mapping with new custom fields also needs schema:write.",
  answers: { 202: json(Import, "The import, in state waiting.", ["Location"]) },
  refused: [404, 409, 410],
});

export const cancelImport = endpoint({
  ...ofOne,
  id: "imports.cancel",
  method: "POST",
  url: "/api/v1/imports/{id}/cancel",
  summary: "Cancel an import",
  description:
    "Counted rows stay written; the others were not written. A dry run stops, and the import is ready again. Cancelling " +
    "it again is not an error; an import that has ended otherwise is refused with 409.",
  answers: { 200: json(Import, "The import.") },
  refused: [404, 409],
});

export const undoImport = endpoint({
  ...ofOne,
  id: "imports.undo",
  method: "POST",
  url: "/api/v1/imports/{id}/undo",
  summary: "Undo an import",
  description:
    "Within thirty days, while its change is kept. What has changed since then stays and is listed under kept.",
  body: ClearingInput,
  examples: { undo: {}, clearing: { clear_opt_out: true } },
  answers: { 202: json(Import, "The import, in state undoing.", ["Location"]) },
  refused: [404, 409, 410],
});

export const listErrors = endpoint({
  ...ofOne,
  id: "imports.errors",
  method: "GET",
  url: "/api/v1/imports/{id}/errors",
  summary: "List the rows that failed",
  description: `The failed rows of the last dry run or commit in the order of the file, each with all its errors. ${WHO}`,
  query: Type.Object({ ...paging, ...ofError }),
  answers: { 200: json(FailedRowList, "A page of failed rows.") },
  refused: [404, 410],
});

export const countErrors = endpoint({
  ...ofOne,
  id: "imports.errorKinds",
  method: "GET",
  url: "/api/v1/imports/{id}/errors/kinds",
  summary: "Count the errors by column and code",
  description: `The 200 most frequent kinds of errors, the most frequent first. ${WHO}`,
  answers: { 200: json(ErrorKinds, "The kinds of errors.") },
  refused: [404, 410],
});

const CSV = "A CSV with the columns and the delimiter of the file";

export const failedFile = endpoint({
  ...ofOne,
  id: "imports.failedFile",
  method: "GET",
  url: "/api/v1/imports/{id}/errors.csv",
  summary: "Download the rows that failed, with the reasons",
  description: `${CSV}, then _row, _column, _code and _message. It can be uploaded again unchanged. ${WHO}`,
  answers: { 200: file(["text/csv"], "The rows that failed.") },
  refused: [404, 410],
});

export const successfulFile = endpoint({
  ...contents,
  id: "imports.successfulFile",
  method: "GET",
  url: "/api/v1/imports/{id}/successful.csv",
  summary: "Download the rows that succeeded",
  description: `${CSV}, which can be uploaded again unchanged.`,
  answers: { 200: file(["text/csv"], "The rows that succeeded.") },
  refused: [404, 409, 410],
});

export const unprocessedFile = endpoint({
  ...contents,
  id: "imports.unprocessedFile",
  method: "GET",
  url: "/api/v1/imports/{id}/unprocessed.csv",
  summary: "Download the rows that were not reached",
  description: `${CSV}, which can be uploaded again unchanged.`,
  answers: { 200: file(["text/csv"], "The rows that were not reached.") },
  refused: [404, 409, 410],
});

export const listKept = endpoint({
  ...contents,
  id: "imports.kept",
  method: "GET",
  url: "/api/v1/imports/{id}/kept",
  summary: "List what an undo kept",
  description:
    "The leads, or the rows of a dataset, that the undo left unchanged because they have changed since.",
  query: Type.Object(paging),
  answers: { 200: json(KeptList, "A page of leads or rows.") },
  refused: [404, 410],
});

export const listFields = endpoint({
  ...ofOne,
  id: "imports.fields",
  method: "GET",
  url: "/api/v1/imports/{id}/fields",
  summary: "List what a column can fill",
  description: "Fields of leads, or columns of the import's dataset, and how their cells are read.",
  answers: { 200: json(FillableFields, "The fields or columns.") },
  refused: [404],
});
