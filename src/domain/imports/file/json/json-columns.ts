import { Refusal } from "../../../../core/refusal.ts";
import { storable } from "../../../values/value.ts";
import { type FileRecord, MOST_COLUMNS } from "../shape/import-file.ts";
import { namedValues } from "./named-values.ts";

/** With so many columns, lists of names and values that would add more stay JSON. */
const ENOUGH_COLUMNS = 300;

/**
 * Returns a reader of JSON objects as cells, which adds new columns to `header` in their order. A nested object gives
 * columns such as `custom.plan`, a list of names and values one column for each name; with `whole`, both give a cell of
 * JSON, as other lists do. A text that is not a JSON object gives a fault.
 */
export function jsonColumns(header: string[], whole: boolean): (text: string) => Omit<FileRecord, "line"> {
  const places = new Map(header.map((name, i) => [name, i]));
  const placeOf = (name: string): number => {
    const known = places.get(name);
    if (known !== undefined) return known;
    if (header.length >= MOST_COLUMNS) throw tooMany();
    places.set(name, header.length);
    return header.push(name) - 1;
  };
  const hasRoom = (names: Iterable<string>): boolean =>
    header.length < ENOUGH_COLUMNS || [...names].every((name) => places.has(name));
  return (text) => {
    let value: unknown;
    try {
      value = JSON.parse(text);
    } catch {
      return { cells: [text], fault: { code: "not_json", message: "is not valid JSON" } };
    }
    if (typeof value !== "object" || value === null || Array.isArray(value))
      return { cells: [text], fault: { code: "not_an_object", message: "is not a JSON object" } };
    const cells: string[] = [];
    const put = (name: string, cell: unknown): void => {
      let place = places.get(name);
      if (place === undefined) {
        place = placeOf(storable(name));
        places.set(name, place);
      }
      cells[place] = cellOf(cell);
    };
    const taken = new Set<string>();
    const putList = (key: string, list: unknown): void => {
      const named = namedValues(list);
      // A name that another member has comes after the name of its list, so that no value is lost.
      const columns = [...(named ?? [])].map(([name, cell]) => {
        const isTaken = Object.hasOwn(value, name) || taken.has(name);
        return [isTaken ? `${key}.${name}` : name, cell] as const;
      });
      if (named === undefined || !hasRoom(columns.map(([name]) => name))) put(key, list);
      else
        for (const [name, cell] of columns) {
          taken.add(name);
          put(name, cell);
        }
    };
    for (const [key, cell] of Object.entries(value)) {
      if (whole || typeof cell !== "object" || cell === null) put(key, cell);
      else if (Array.isArray(cell)) putList(key, cell);
      else
        for (const [inner, own] of Object.entries(cell)) {
          if (Array.isArray(own)) putList(`${key}.${inner}`, own);
          else put(`${key}.${inner}`, own);
        }
    }
    return { cells: Array.from({ length: Math.max(cells.length, 1) }, (_, i) => cells[i] ?? "") };
  };
}

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const tooMany = (): Refusal =>
  new Refusal("unprocessable", "too_many_columns", `The file has more than ${MOST_COLUMNS} columns.`);
