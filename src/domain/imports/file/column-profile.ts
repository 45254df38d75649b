import { type DateOrder, dateOrderOf } from "../../values/cell-dates.ts";
import { type Decimals, decimalsOf } from "../../values/cell-numbers.ts";
import { storable } from "../../values/value.ts";

/** What the cells of a column look like, over the whole file. */
export interface ColumnProfile {
  name: string;
  /** Cells that are not blank. */
  filled: number;
  /** The first different ones, cut to 100 characters; what PostgreSQL cannot hold becomes U+FFFD. */
  samples: string[];
  /** All different ones, where they are few; else null. */
  values: string[] | null;
  /** In which order its dates are written; null where no cell is a date of numbers. */
  dates: DateOrder | "ambiguous" | "mixed" | null;
  /** What stands before its decimals; null where no number says anything about it. */
  decimals: Decimals | "ambiguous" | "mixed" | null;
  /** The field that was guessed for it when the file came, and by what. */
  guess?: ColumnGuess;
}

/** By the program that wrote the file, by the field's own name, or by usual words for it, which is the least sure. */
export interface ColumnGuess {
  field: string;
  by: "preset" | "name" | "words";
}

const SAMPLES = 5;
const MOST_VALUES = 30;
const LOOKED_AT = 60;

/** Watches the cells of one column go by. */
export class ColumnWatch {
  #filled = 0;
  readonly #values = new Set<string>();
  #many = false;
  readonly #dates = new Set<string>();
  readonly #decimals = new Set<string>();

  see(cell: string): void {
    const text = cell.trim();
    if (text === "") return;
    this.#filled += 1;
    if (!this.#many) {
      this.#values.add(text.slice(0, 100));
      this.#many = this.#values.size > MOST_VALUES;
    }
    if (text.length > LOOKED_AT) return;
    const first = text.charCodeAt(0);
    // Nothing that begins with a letter is a date or a number that could be read two ways, but R$ 10,5.
    if (first > 64 && first < 123 && !/^[A-Z]{0,3}\$/.test(text)) return;
    const order = dateOrderOf(text);
    if (order !== undefined) this.#dates.add(order);
    else {
      const decimals = decimalsOf(text);
      if (decimals !== undefined) this.#decimals.add(decimals);
    }
  }

  profile(name: string): ColumnProfile {
    const values = [...new Set([...this.#values].map(storable))];
    return {
      name,
      filled: this.#filled,
      samples: values.slice(0, SAMPLES),
      values: this.#many ? null : values,
      dates: verdict(this.#dates) as ColumnProfile["dates"],
      decimals: verdict(this.#decimals) as ColumnProfile["decimals"],
    };
  }
}

/** What the sure cells say; the unsure ones alone leave it open. */
function verdict(seen: ReadonlySet<string>): string | null {
  const sure = [...seen].filter((each) => each !== "ambiguous");
  if (sure.length > 1) return "mixed";
  return sure[0] ?? (seen.has("ambiguous") ? "ambiguous" : null);
}
