import { crc32, deflateRawSync } from "node:zlib";

/** A sheet: its cells as texts, "" for none, and its merged cells, such as `A1:C1`. */
export interface MergedSheet {
  rows: readonly (readonly string[])[];
  merges?: readonly string[];
}

const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGES = "http://schemas.openxmlformats.org/package/2006/relationships";

/** Returns a compressed spreadsheet with these sheets by name, and a chart before them if asked. */
export function mergedSheets(sheets: Readonly<Record<string, MergedSheet>>, chart = false): Buffer {
  const names = [...(chart ? ["Chart"] : []), ...Object.keys(sheets)];
  const isChart = (i: number) => chart && i === 0;
  const target = (i: number) => (isChart(i) ? "chartsheets/sheet1.xml" : `worksheets/sheet${i + 1}.xml`);
  const relations = names.map((_, i) => {
    const type = isChart(i) ? "chartsheet" : "worksheet";
    return `<Relationship Target="${target(i)}" Type="${OFFICE}/${type}" Id="rId${i + 1}"/>`;
  });
  const tags = names.map((name, i) => `<sheet name="${name}" sheetId="${i + 1}" r:id="rId${i + 1}"/>`);
  const parts = Object.values(sheets).map((sheet, i): [string, string] => [
    `xl/${target(i + (chart ? 1 : 0))}`,
    sheetXml(sheet),
  ]);
  return zipOf({
    "xl/workbook.xml": `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${tags.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships xmlns="${PACKAGES}">${relations.join("")}</Relationships>`,
    ...(chart ? { "xl/chartsheets/sheet1.xml": `<chartsheet xmlns="${MAIN}"/>` } : {}),
    ...Object.fromEntries(parts),
  });
}

const letters = (column: number): string =>
  (column >= 26 ? letters(Math.floor(column / 26) - 1) : "") + String.fromCharCode(65 + (column % 26));

function sheetXml({ rows, merges = [] }: MergedSheet): string {
  const data = rows.map((row, y) => {
    const cells = row.map((text, x) => {
      const at = `r="${letters(x)}${y + 1}"`;
      return text === "" ? `<c ${at}/>` : `<c ${at} t="inlineStr"><is><t>${text}</t></is></c>`;
    });
    return `<row r="${y + 1}">${cells.join("")}</row>`;
  });
  const merged = merges.map((ref) => `<mergeCell ref="${ref}"/>`).join("");
  const tag = merges.length === 0 ? "" : `<mergeCells count="${merges.length}">${merged}</mergeCells>`;
  return `<worksheet xmlns="${MAIN}"><sheetData>${data.join("")}</sheetData>${tag}</worksheet>`;
}

function zipOf(parts: Readonly<Record<string, string>>): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, text] of Object.entries(parts)) {
    const [path, bytes] = [Buffer.from(name), Buffer.from(text)];
    const packed = deflateRawSync(bytes);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(bytes.length, 18);
    common.writeUInt16LE(path.length, 22);
    const more = Buffer.alloc(14);
    more.writeUInt32LE(at, 10);
    directory.push(Buffer.concat([Buffer.from("PK\x01\x02"), Buffer.from([20, 0]), common, more, path]));
    const local = Buffer.concat([Buffer.from("PK\x03\x04"), common, path, packed]);
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
