import type { ImportColumn } from "../../../contract/imports/import.ts";
import { dateOrderOf } from "../../values/cell-dates.ts";
import { decimalsOf } from "../../values/cell-numbers.ts";
import { storable } from "../../values/value.ts";

/** What is known of a column's cells, from the whole file, and what only guessing needs. */
export interface ColumnProfile extends ImportColumn {
  /** The length of the longest cell; undefined if no cell was read. */
  longest?: number;
  /** Whether the first hundreds of its filled cells are distinct. */
  distinct?: boolean;
  /** What all samples look like. */
  looks?: "email" | "phone" | "url" | null;
}

/** A profile as it is stored and shown. */
export const shownProfile = ({
  longest: _,
  distinct: __,
  looks: ___,
  ...shown
}: ColumnProfile): ImportColumn => shown;

/** A guess by the preset of the program that wrote the file, by the field's name, or by common words. */
export type ColumnGuess = NonNullable<ImportColumn["guess"]>;

const SAMPLES = 5;
const MOST_VALUES = 30;
const LOOKED_AT = 60;
/** So many cells tell whether a column's are distinct. */
const COMPARED = 300;

/** Collects the profile of one column. */
export class ColumnWatch {
  #filled = 0;
  #longest = 0;
  readonly #values = new Set<string>();
  #many = false;
  #distinct: Set<string> | undefined = new Set();
  readonly #dates = new Set<string>();
  readonly #decimals = new Set<string>();

  /** Looks at the next cell; returns whether it is filled. */
  see(cell: string): boolean {
    const text = cell.trim();
    if (text === "") return false;
    this.#filled += 1;
    if (this.#distinct !== undefined && this.#filled <= COMPARED) {
      this.#distinct.add(text);
      if (this.#distinct.size < this.#filled) this.#distinct = undefined;
    }
    this.#seeStyle(text);
    return true;
  }

  #seeStyle(text: string): void {
    this.#longest = Math.max(this.#longest, text.length);
    if (!this.#many) {
      this.#values.add(text.slice(0, 100));
      this.#many = this.#values.size > MOST_VALUES;
    }
    if (text.length > LOOKED_AT) return;
    const first = text.charCodeAt(0);
    // No cell that starts with a letter is an ambiguous date or number, except prices such as R$ 10,5.
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
      longest: this.#longest,
      distinct: this.#filled > 0 && this.#distinct !== undefined,
      looks: looksOf(values.slice(0, SAMPLES)),
      samples: values.slice(0, SAMPLES),
      values: this.#many ? null : values,
      dates: verdict(this.#dates) as ColumnProfile["dates"],
      decimals: verdict(this.#decimals) as ColumnProfile["decimals"],
    };
  }
}

const LOOKS: readonly [NonNullable<ColumnProfile["looks"]>, RegExp][] = [
  ["email", /^[^\s@]+@[^\s@]+\.[^\s@]+$/],
  ["url", /^(?:https?:\/\/|www\.)\S+$/i],
  ["phone", /^'?\+?[\d\s().\-/]{7,}(?:x\d+)?$/],
];

/** What all samples look like; a cell may hold several values. */
function looksOf(samples: readonly string[]): NonNullable<ColumnProfile["looks"]> | null {
  const firsts = samples.map((sample) => sample.split(/ ::: |[,;]/, 1)[0]?.trim() ?? "");
  const [looks] =
    firsts.length === 0 ? [] : (LOOKS.find(([, form]) => firsts.every((each) => form.test(each))) ?? []);
  return looks ?? null;
}

/** The result of the unambiguous cells; if there are none, the column stays ambiguous. */
function verdict(seen: ReadonlySet<string>): string | null {
  const sure = [...seen].filter((each) => each !== "ambiguous");
  if (sure.length > 1) return "mixed";
  return sure[0] ?? (seen.has("ambiguous") ? "ambiguous" : null);
}
