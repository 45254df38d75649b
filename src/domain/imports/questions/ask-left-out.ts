import { type Ask, type Asking, ask, choice, cut } from "./ask.ts";

/** Asks whether rows that are no records are left out: test leads, deleted ones. */
export function askLeftOut({ draft, preset, columns, isGiven }: Asking): Ask[] {
  const asks: Ask[] = [];
  if (isGiven) return asks;
  const { skip_rows: start } = draft.rest;
  if (start !== undefined && preset?.skipRows === start)
    asks.push(
      ask("rows", "rows:test", {
        message: `Rows with a cell that starts with "${start}" are test leads.`,
        examples: columns
          .flatMap(({ samples }) => samples.filter((sample) => sample.startsWith(start)))
          .slice(0, 3)
          .map(cut),
        choices: LEAVE,
        default: "leave_out",
        apply(picked) {
          if (picked === "import") delete draft.rest.skip_rows;
        },
      }),
    );
  for (const [name, values] of Object.entries(draft.skipIf)) {
    const column = columns.find((each) => each.name === name);
    const found = (column?.values ?? column?.samples ?? []).filter((value) =>
      values.includes(value.trim().toLowerCase()),
    );
    if (found.length === 0) continue;
    asks.push(
      ask("rows", `rows:${name}`, {
        columns: [name],
        examples: found.map(cut),
        message: `Rows with ${found.map((value) => `"${value}"`).join(" or ")} in "${name}" are not leads.`,
        choices: LEAVE,
        default: "leave_out",
        apply(picked) {
          if (picked === "import") delete draft.skipIf[name];
        },
      }),
    );
  }
  return asks;
}

const LEAVE = [choice("leave_out", "Leave them out"), choice("import", "Import them")];
