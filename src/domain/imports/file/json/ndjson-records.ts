import { Refusal } from "../../../../core/refusal.ts";
import { type FileRecord, MOST_CHARACTERS } from "../shape/import-file.ts";
import { jsonColumns } from "./json-columns.ts";

/** Yields the records of text with one JSON object per line. `header` grows as `jsonColumns` describes. */
export async function* ndjsonRecords(
  text: AsyncIterable<string>,
  header: string[],
  whole = false,
): AsyncGenerator<FileRecord> {
  const read = jsonColumns(header, whole);
  let line = 0;
  for await (const each of linesOf(text)) {
    line += 1;
    const plain = each.trim();
    yield plain === "" ? { line, cells: [] } : { line, ...read(plain) };
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of text) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MOST_CHARACTERS)
      throw new Refusal("unprocessable", "line_too_long", "A line has more than 1,000,000 characters.");
    yield* lines;
  }
  if (rest !== "") yield rest;
}
