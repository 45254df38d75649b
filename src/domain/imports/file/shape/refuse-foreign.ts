import { Refusal } from "../../../../core/refusal.ts";

/** So many bytes show what a file is. */
const LOOKED_AT = 2_048;

const SAVE = "Save it as XLSX or CSV, and upload that file.";

/** Files that are no tables, by how they start. */
const FOREIGN: readonly [form: RegExp, code: string, message: string][] = [
  [
    /^(?:\s|<\?xml[^>]*>|<!--[\s\S]*?-->)*<(?:!doctype\s+html|html|head|body|table|meta|script|style|title|div|center)\b|^MIME-Version:/i,
    "web_page",
    "This is a web page, not a table. Download the file again while you are signed in, or open it in a spreadsheet program and save it as CSV or XLSX.",
  ],
  [
    /^\s*<\?xml\b/i,
    "not_a_table",
    `This is an XML file, not a table. Open it in a spreadsheet program. ${SAVE}`,
  ],
  [/^%PDF-/, "not_a_table", `This is a PDF, not a table. Export the table from its program. ${SAVE}`],
  [
    /^\{\\rtf/,
    "not_a_table",
    `This is a text document (RTF), not a table. Copy its table to a spreadsheet. ${SAVE}`,
  ],
  [
    /^\u00d0\u00cf.\u00e0/s,
    "old_spreadsheet",
    `This is an old Excel file (XLS) or one with a password. Open it in a spreadsheet program. ${SAVE}`,
  ],
];

/** Refuses (422) bytes that start like a web page, a document or an old spreadsheet, in any encoding. */
export function refuseForeign(head: Buffer): void {
  const text = head
    .subarray(0, LOOKED_AT)
    .toString("latin1")
    .replaceAll("\0", "")
    .replace(/^(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "");
  const found = FOREIGN.find(([form]) => form.test(text));
  if (found !== undefined) throw new Refusal("unprocessable", found[1], found[2]);
}

/** Yields the bytes of a file; refuses those of a file that is no table before anything is yielded. */
export async function* tableBytes(bytes: AsyncIterable<Buffer | string>): AsyncGenerator<Buffer> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of bytes) {
    const own: Buffer = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
    if (head === undefined) {
      yield own;
      continue;
    }
    head = Buffer.concat([head, own]);
    if (head.length < LOOKED_AT) continue;
    refuseForeign(head);
    yield head;
    head = undefined;
  }
  if (head === undefined) return;
  refuseForeign(head);
  if (head.length > 0) yield head;
}
