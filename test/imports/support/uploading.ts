import assert from "node:assert/strict";
import { setTimeout as sleep } from "node:timers/promises";
import { crc32 } from "node:zlib";
import type { ImportQuestion } from "../../../src/contract/imports/import-question.ts";
import { bodyOf } from "../../api/support/v1.ts";
import type { KeyActor, World } from "../../world.ts";

export interface ImportBody {
  id: string;
  state: string;
  file: Record<string, unknown>;
  preset: { name: string; because: string[] } | null;
  columns: { name: string; dates: string | null; decimals: string | null }[];
  mapping: { columns: Record<string, unknown>; mode?: string };
  questions: ImportQuestion[];
  dry_run: Record<string, unknown> | null;
  rows: number;
  created: number;
  updated: number;
  unchanged: number;
  skipped: number;
  failed: number;
  undo: { deleted: number; restored: number; left: number } | null;
  change_id: string | null;
  error: { code: string } | null;
}

/** Sends a file as the body of an upload. */
export const send = (
  the: World,
  key: KeyActor,
  file: string | Buffer,
  options: { type?: string; query?: string } = {},
): Promise<Response> =>
  fetch(`${the.baseUrl}/api/v1/imports${options.query ?? ""}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${key.text}`, "Content-Type": options.type ?? "text/csv" },
    body: typeof file === "string" ? file : new Uint8Array(file),
  });

export const uploaded = async (...args: Parameters<typeof send>): Promise<ImportBody> =>
  await bodyOf<ImportBody>(await send(...args), 201);

/** The questions that must be answered before anything can be written. */
export const openQuestions = ({ questions }: Pick<ImportBody, "questions">): string[] =>
  questions.flatMap(({ id, blocking, answer }) => (blocking && answer === null ? [id] : []));

/** Starts an action on an import and waits until it has ended. */
export async function acted(key: KeyActor, id: string, act: string): Promise<ImportBody> {
  await bodyOf(await key.send("POST", `/api/v1/imports/${id}/${act}`), 202);
  return await ended(key, id);
}

export async function ended(key: KeyActor, id: string): Promise<ImportBody> {
  for (;;) {
    const state = await bodyOf<ImportBody>(await key.send("GET", `/api/v1/imports/${id}`));
    if (!["checking", "waiting", "running", "undoing"].includes(state.state)) return state;
    await sleep(30);
  }
}

/** Returns rows, created, updated, unchanged, skipped, failed; the first is the sum of the others. */
export function sums(of: object): number[] {
  const names = ["rows", "created", "updated", "unchanged", "skipped", "failed"];
  const [rows = 0, ...parts] = names.map((name) => Number((of as Record<string, unknown>)[name]));
  assert.equal(
    rows,
    parts.reduce((sum, part) => sum + part, 0),
  );
  return [rows, ...parts];
}

type SheetRows = readonly (string | { number: string; date?: true })[][];

const escaped = (text: string) =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");

function rowsXml(rows: SheetRows): string {
  const cells = rows.map((row, y) => {
    const inner = row.map((cell, x) => {
      const at = `${String.fromCharCode(65 + x)}${y + 1}`;
      if (typeof cell === "string")
        return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`;
      return `<c r="${at}"${cell.date ? ' s="1"' : ""}><v>${cell.number}</v></c>`;
    });
    return `<row r="${y + 1}">${inner.join("")}</row>`;
  });
  return cells.join("");
}

/**
 * Returns a spreadsheet with the sheet `Leads`, and more by name: strings and numbers as written in its XML,
 * dates by serial number, counted from 1904 if asked.
 */
export function sheetOf(
  rows: SheetRows,
  more: Readonly<Record<string, SheetRows>> = {},
  { from1904 = false } = {},
): Buffer {
  const xml = (text: string) => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>${text}`;
  const sheets = Object.entries({ Leads: rows, ...more });
  const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const packages = "http://schemas.openxmlformats.org/package/2006";
  return zipOf({
    "[Content_Types].xml": xml(
      `<Types xmlns="${packages}/content-types"><Default Extension="xml" ContentType="application/xml"/></Types>`,
    ),
    "_rels/.rels": xml(
      `<Relationships xmlns="${packages}/relationships"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    "xl/workbook.xml": xml(
      `<workbook xmlns="${main}" xmlns:r="${office}"><workbookPr${from1904 ? ' date1904="1"' : ""}/><sheets>${sheets
        .map(([name], i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`)
        .join("")}</sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": xml(
      `<Relationships xmlns="${packages}/relationships">${sheets
        .map(
          (_, i) =>
            `<Relationship Id="rId${i + 1}" Type="${office}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
        )
        .join("")}<Relationship Id="rIdStyles" Type="${office}/styles" Target="styles.xml"/></Relationships>`,
    ),
    "xl/styles.xml": xml(
      `<styleSheet xmlns="${main}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ),
    ...Object.fromEntries(
      sheets.map(([, content], i) => [
        `xl/worksheets/sheet${i + 1}.xml`,
        xml(`<worksheet xmlns="${main}"><sheetData>${rowsXml(content)}</sheetData></worksheet>`),
      ]),
    ),
  });
}

/** Returns an archive with uncompressed parts. */
function zipOf(parts: Record<string, string>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(parts)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)];
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(bytes.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, path, bytes]);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), common, more, path]));
    files.push(local);
    at += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(Buffer.concat(directory).length, 8);
  end.writeUInt32LE(at, 12);
  return Buffer.concat([...files, ...directory, Buffer.from("PK\x05\x06"), end]);
}
