import { type Ask, type Asking, ask, choice, cut } from "./ask.ts";

const nothing = () => undefined;

/** Asks how the file was read: its encoding, the row of its column names, and rows at its end. The answers are applied by reading it again. */
export function askReading({ doubts, target }: Asking): Ask[] {
  return [...askEncoding(doubts), ...askHeader(doubts), ...askFooter(doubts, target.rows !== null)];
}

function askEncoding({ encodings }: Asking["doubts"]): Ask[] {
  const [best] = encodings?.readings ?? [];
  if (encodings === undefined || best === undefined || encodings.readings.length < 2) return [];
  const { sure, readings } = encodings;
  return [
    ask("encoding", "encoding", {
      message: sure
        ? `The file does not name its encoding; its letters look like ${best.encoding}.`
        : "The file does not name its encoding, and its letters can be read in several ways. Choose the reading that is right.",
      examples: best.examples.map(cut),
      choices: readings.map(({ encoding, examples }) => choice(encoding, encoding, examples)),
      ...(sure ? { default: best.encoding } : { default: null, unasked: best.encoding }),
      blocking: !sure,
      apply: nothing,
    }),
  ];
}

function askHeader({ headers = [] }: Asking["doubts"]): Ask[] {
  const [best] = headers;
  if (best === undefined) return [];
  return [
    ask("header_row", "header_row", {
      message: `The names of the columns seem to be in row ${best.line}; the rows above it are left out.`,
      choices: [
        ...headers.map(({ line, cells }) => choice(String(line), `Row ${line}`, [shown(cells)])),
        choice("none", "No row has names"),
      ],
      default: String(best.line),
      apply: nothing,
    }),
  ];
}

function askFooter({ footer = [] }: Asking["doubts"], isRows: boolean): Ask[] {
  if (footer.length === 0) return [];
  const examples = footer.map(({ cells }) => shown(cells));
  return [
    ask("rows", "rows:footer", {
      message: `${footer.length === 1 ? "The last row does" : `The last ${footer.length} rows do`} not look like ${isRows ? "a record" : "a person"}.`,
      examples,
      choices: [choice("leave_out", "Leave them out", examples), choice("import", "Import them", examples)],
      default: "leave_out",
      apply: nothing,
    }),
  ];
}

/** The filled cells of a row. */
const shown = (cells: readonly string[]): string =>
  cut(cells.filter((cell) => cell.trim() !== "").join(" · "));
