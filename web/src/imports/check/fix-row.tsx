import { useId } from "react";
import type { FailedRow } from "../../../../src/contract/imports/import-rows.ts";
import { CELL_FAULTS } from "../../words/cell-faults.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import styles from "./check.module.css";
import { CHECK_WORDS } from "./check-words.ts";

/** A failed row with editable cells and the errors below each. */
export function FixRow(row: {
  failure: FailedRow;
  /** The line number where the row starts. */
  label: string;
  names: readonly string[];
  places: readonly number[];
  /** Whether some row has errors in columns that are not shown; these go in a last column. */
  hasRest: boolean;
  cells: readonly string[] | undefined;
  onCell: ((place: number, text: string) => void) | undefined;
}) {
  const { failure, names, places, cells, onCell } = row;
  const words = useWords(CHECK_WORDS);
  const said = CELL_FAULTS[useLocale()];
  const id = useId();
  const shown = new Set(places.map((place) => names[place]));
  const rest = failure.errors.filter(({ column }) => !shown.has(column));
  return (
    <tr>
      <th scope="row">{row.label}</th>
      {places.map((place) => {
        const name = names[place] ?? "";
        const faults = failure.errors.filter(({ column }) => column === name);
        const was = failure.cells[place] ?? "";
        const text = cells?.[place] ?? was;
        const isFixed = text !== was;
        const wrong = faults.length > 0 && !isFixed;
        return (
          <td key={place}>
            {onCell === undefined ? (
              <bdi>{text}</bdi>
            ) : (
              <input
                className={styles.cell}
                dir="auto"
                aria-label={words.cell(name, row.label)}
                value={text}
                data-fixed={isFixed}
                {...(wrong ? { "aria-invalid": true, "aria-describedby": `${id}-${place}` } : {})}
                onChange={(event) => onCell(place, event.currentTarget.value)}
              />
            )}
            {wrong && (
              <span className={styles.why} id={`${id}-${place}`}>
                <bdi>{faults.map(({ code, message }) => said[code] ?? message).join("; ")}</bdi>
              </span>
            )}
          </td>
        );
      })}
      {row.hasRest && (
        <td className={styles.rest}>
          {rest.map(({ column, code, message }) => (
            <div key={`${column}:${code}`}>
              {column !== "" && (
                <strong>
                  <bdi>{column}</bdi>{" "}
                </strong>
              )}
              <bdi>{said[code] ?? message}</bdi>
            </div>
          ))}
        </td>
      )}
    </tr>
  );
}
