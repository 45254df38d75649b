import { readFileSync, writeFileSync } from "node:fs";
import { COLUMNS, type Row } from "./row.ts";

const PAGE = "docs/assistants.md";
const [START, END] = ["<!-- hosts: written by npm run try -- hosts -->", "<!-- hosts end -->"];

const line = (cells: readonly string[]): string => `| ${cells.join(" | ")} |`;
/** Cells and notes are of other programs: a pipe would end a cell, a line break the table. */
const plain = (text: string): string =>
  text.replaceAll(/\s+/g, " ").replaceAll("|", "\\|").replaceAll("<", "&lt;");
const nameOf = (text: string): string => /^(?:\| |- \*\*)(.+?)(?: \||\*\*:)/.exec(text)?.[1] ?? "";

/** Returns the table and its notes in `before`, in this order of hosts, with the row of one host replaced. */
export function report(row: Row, before: string, order: readonly string[]): string {
  const table = new Map<string, string>();
  const notes = new Map<string, string>();
  for (const old of before.split("\n"))
    if (old.startsWith("- **")) notes.set(nameOf(old), old);
    else if (old.startsWith("| ")) table.set(nameOf(old), old);
  const name = row.cells[0] ?? "";
  table.set(name, line(row.cells.map(plain)));
  notes.set(name, `- **${name}**: ${plain(row.notes.join(" "))}`);
  const kept = (from: ReadonlyMap<string, string>) => order.flatMap((name) => from.get(name) ?? []);
  return [line(COLUMNS), line(COLUMNS.map(() => "---")), ...kept(table), "", ...kept(notes)].join("\n");
}

/** Writes a row into the page of assistants and returns the table and its notes. */
export function written(row: Row, order: readonly string[]): string {
  const page = readFileSync(PAGE, "utf8");
  const [from, to] = [page.indexOf(START) + START.length, page.indexOf(END)];
  if (to < from) throw new Error(`${PAGE} has no place for the table`);
  const text = report(row, page.slice(from, to), order);
  writeFileSync(PAGE, `${page.slice(0, from)}\n${text}\n${page.slice(to)}`);
  return text;
}
