import type { Readable } from "node:stream";
import { Busboy, type BusboyFileStream } from "@fastify/busboy";
import type { FastifyRequest } from "fastify";
import type { ImportFormat } from "../../contract/lists/files.ts";
import { malformed, Refusal } from "../../core/refusal.ts";
import type { SentFile } from "../../domain/imports/upload-import.ts";
import { mediaType } from "./body.ts";

const SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const FORMATS: Readonly<Record<string, ImportFormat | undefined>> = {
  "text/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/x-ndjson": "ndjson",
  "application/ndjson": "ndjson",
  "application/jsonl": "ndjson",
  "application/json": "json",
  [SHEET]: "xlsx",
};
const ANY = new Set(["", "application/octet-stream", "text/plain", "application/vnd.ms-excel"]);
const OPTIONS = new Set([
  ...["file_name", "format", "encoding", "delimiter", "header", "header_row", "footer", "sheet", "preset"],
  ...["mode", "dates", "decimals", "mapping"],
]);

/**
 * Returns an uploaded file as a stream: the body itself, or the file part of a form (multipart/form-data),
 * with options from the fields before it. `options` are those of the query.
 */
export async function sentFile(request: FastifyRequest, options: Record<string, unknown>): Promise<SentFile> {
  const type = mediaType(request);
  if (type === "multipart/form-data") return await partOf(request, options);
  if (FORMATS[type] === undefined && !ANY.has(type)) {
    const text =
      "Send the file as text/csv, application/x-ndjson, application/json, XLSX or multipart/form-data.";
    throw new Refusal("unsupported_media", "unsupported_media", text);
  }
  return fileOf(untilRefused(request, request.raw), type, options);
}

/**
 * Yields a file's bytes. If the reader stops early, the rest is discarded: destroying the stream would close
 * the connection before the client receives the response.
 */
async function* untilRefused(request: FastifyRequest, file: Readable): AsyncGenerator<Buffer> {
  try {
    yield* file.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } finally {
    if (!request.raw.complete) request.raw.unpipe().resume();
  }
}

function fileOf(bytes: AsyncIterable<Buffer>, type: string, options: Record<string, unknown>): SentFile {
  const named = /\.xlsx$/i.test(String(options.file_name ?? ""));
  const format = FORMATS[type];
  const isSheet =
    options.format === "xlsx" ||
    (options.format === undefined && (format === "xlsx" || (format === undefined && named)));
  const said = format === "ndjson" && options.format === undefined ? { format } : {};
  return { bytes, isSheet, options: { ...options, ...said } as SentFile["options"] };
}

function partOf(request: FastifyRequest, query: Record<string, unknown>): Promise<SentFile> {
  return new Promise((resolve, reject) => {
    const options: Record<string, unknown> = { ...query };
    const fail = (error: unknown) => reject(error instanceof Refusal ? error : noForm(error));
    let form: ReturnType<typeof Busboy>;
    try {
      const limits = { files: 1, fields: 20, fieldSize: 100_000, parts: 21 };
      form = Busboy({
        headers: { ...request.headers, "content-type": request.headers["content-type"] ?? "" },
        limits,
      });
    } catch (error) {
      fail(error);
      return;
    }
    let found = false;
    form.on("field", (name, value) => {
      if (!OPTIONS.has(name))
        fail(
          malformed([
            {
              path: `$.${name.slice(0, 60)}`,
              code: "unknown_key",
              message: "is not a known form field",
            },
          ]),
        );
      else options[name] = readField(name, value);
    });
    form.on("file", (_field, file: BusboyFileStream, name: string, _encoding: string, type: string) => {
      found = true;
      options.file_name ??= (name ?? "").slice(0, 300).toWellFormed().replaceAll("\0", "");
      const known = FORMATS[type] === undefined ? "" : type;
      // After its reader stopped, nobody handles its errors, and an unhandled one ends the process.
      file.on("error", () => undefined);
      request.raw.once("close", () => {
        if (!request.raw.complete) file.destroy(new Error("the upload was interrupted"));
      });
      resolve(fileOf(untilRefused(request, file), known, options));
    });
    form.on("finish", () => {
      if (!found)
        fail(malformed([{ path: "$.file", code: "required", message: "the form must have a file" }]));
    });
    form.on("error", fail);
    request.raw.pipe(form);
  });
}

/** A field of a form is text. */
function readField(name: string, value: string): unknown {
  if (name === "header" || name === "footer") return value === "true";
  return name === "header_row" && /^\d{1,9}$/.test(value) ? Number(value) : value;
}

const noForm = (cause: unknown): Refusal =>
  new Refusal("malformed", "bad_form", "The body is not a valid multipart form.", { cause });
