import { Refusal } from "../../../core/refusal.ts";
import { storable } from "../../values/value.ts";
import { type FileRecord, MOST_CHARACTERS, MOST_COLUMNS } from "./import-file.ts";

/**
 * Yields the records of text with one JSON object per line. `header` grows by new keys in their order. A nested
 * object gives columns such as `custom.plan`, or with `whole` a cell of JSON, as lists do.
 */
export async function* ndjsonRecords(
  text: AsyncIterable<string>,
  header: string[],
  whole = false,
): AsyncGenerator<FileRecord> {
  const places = new Map(header.map((name, i) => [name, i]));
  let line = 0;
  for await (const each of linesOf(text)) {
    line += 1;
    const plain = each.trim();
    yield plain === "" ? { line, cells: [] } : { line, ...recordOf(plain, header, places, whole) };
  }
}

function recordOf(
  text: string,
  header: string[],
  places: Map<string, number>,
  whole: boolean,
): Omit<FileRecord, "line"> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { cells: [text], fault: { code: "not_json", message: "is not valid JSON" } };
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { cells: [text], fault: { code: "not_an_object", message: "is not a JSON object" } };
  const cells: string[] = [];
  const placeOf = (name: string): number => {
    const known = places.get(name);
    if (known !== undefined) return known;
    if (header.length >= MOST_COLUMNS) throw tooMany();
    places.set(name, header.length);
    return header.push(name) - 1;
  };
  const put = (name: string, cell: unknown): void => {
    let place = places.get(name);
    if (place === undefined) {
      place = placeOf(storable(name));
      places.set(name, place);
    }
    cells[place] = cellOf(cell);
  };
  for (const [key, cell] of Object.entries(value)) {
    if (whole || typeof cell !== "object" || cell === null || Array.isArray(cell)) put(key, cell);
    else for (const [inner, own] of Object.entries(cell)) put(`${key}.${inner}`, own);
  }
  return { cells: Array.from({ length: Math.max(cells.length, 1) }, (_, i) => cells[i] ?? "") };
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
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

const tooMany = (): Refusal =>
  new Refusal("unprocessable", "too_many_columns", `The file has more than ${MOST_COLUMNS} columns.`);
