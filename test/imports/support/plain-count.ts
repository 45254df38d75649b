import type { Shape } from "./crm-shapes.ts";

/** Parses delimited text without any code of the service: a small state machine, one character at a time. */
export function cellsOf(text: string, delimiter: string): string[][] {
  const rows: string[][] = [];
  let [row, cell, quoted]: [string[], string, boolean] = [[], "", false];
  for (let i = 0; i < text.length; i += 1) {
    const c = text[i];
    if (quoted && c === '"' && text[i + 1] === '"') [cell, i] = [`${cell}"`, i + 1];
    else if (c === '"') quoted = !quoted;
    else if (!quoted && c === delimiter) [row, cell] = [[...row, cell], ""];
    else if (!quoted && c === "\n") [row, cell] = [rows.push([...row, cell]) ? [] : [], ""];
    else if (quoted || c !== "\r") cell += c;
  }
  return cell === "" && row.length === 0 ? rows : [...rows, [...row, cell]];
}

/** Returns the expected counts: rows, created, updated, unchanged, skipped, failed. */
export function expectedOf([header = [], ...rows]: string[][], shape: Shape): number[] {
  const counts = [rows.length, 0, 0, 0, 0, 0];
  const add = (at: number) => counts.splice(at, 1, (counts[at] ?? 0) + 1);
  const seen = new Map<string, string>();
  const of = (row: string[], name: string | null) => (name === null ? "" : (row[header.indexOf(name)] ?? ""));
  for (const row of rows) {
    const email = of(row, shape.email).toLowerCase();
    const wide = row.slice(header.length).some((cell) => cell.trim() !== "");
    if (row.every((cell) => cell.trim() === "")) add(4);
    else if (
      row.length < header.length ||
      wide ||
      (email !== "" && !email.includes("@")) ||
      of(row, shape.phone).includes("5.5E+12")
    )
      add(5);
    else {
      const key = of(row, shape.key) || email;
      const company = of(row, shape.company);
      add(!seen.has(key) ? 1 : seen.get(key) === company ? 3 : 2);
      seen.set(key, company);
    }
  }
  return counts;
}
