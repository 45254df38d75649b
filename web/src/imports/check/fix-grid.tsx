import { useMemo } from "react";
import type { Import } from "../../../../src/contract/imports/import.ts";
import type { FailedRow } from "../../../../src/contract/imports/import-rows.ts";
import { useFormat } from "../../words/format.ts";
import { useWords } from "../../words/use-words.ts";
import { ruleOf } from "../record/import-record.ts";
import styles from "./check.module.css";
import { CHECK_WORDS } from "./check-words.ts";
import { FixRow } from "./fix-row.tsx";
import { type Fixes, withCell } from "./fixes.ts";

const MOST_COLUMNS = 40;

/** Failed rows with their imported columns, those with errors first; read-only without `onFixes`. */
export function FixGrid(grid: {
  record: Import;
  failures: readonly FailedRow[];
  fixes: Fixes;
  onFixes?(fixes: Fixes): void;
}) {
  const { record, failures, fixes, onFixes } = grid;
  const words = useWords(CHECK_WORDS);
  const { number } = useFormat();
  const names = useMemo(() => record.columns.map(({ name }) => name), [record.columns]);
  const places = useMemo(() => placesOf(record, names, failures), [record, names, failures]);
  const seen = new Set(places.map((place) => names[place]));
  const hasRest = failures.some(({ errors }) => errors.some(({ column }) => !seen.has(column)));
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be reachable by keyboard
    <section className={styles.scroll} tabIndex={0} aria-label={words.errors}>
      <table className={styles.grid}>
        <thead>
          <tr>
            <th scope="col">{words.row}</th>
            {places.map((place) => (
              <th key={place} scope="col" title={names[place]}>
                <bdi>{names[place]}</bdi>
              </th>
            ))}
            {hasRest && <th scope="col">{words.reason}</th>}
          </tr>
        </thead>
        <tbody>
          {failures.map((failure) => (
            <FixRow
              key={failure.row}
              failure={failure}
              label={number(failure.row)}
              names={names}
              places={places}
              hasRest={hasRest}
              cells={fixes[failure.row]}
              onCell={
                onFixes && ((place, text) => onFixes(withCell(fixes, failure, names.length, place, text)))
              }
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

/** Returns the columns to show: those with errors, then the other imported ones. */
function placesOf(record: Import, names: readonly string[], failures: readonly FailedRow[]): number[] {
  const wrong = new Set(failures.flatMap(({ errors }) => errors.map(({ column }) => column)));
  const all = names.map((name, place) => ({ name, place }));
  const faulty = all.filter(({ name }) => wrong.has(name));
  const mapped = all.filter(({ name }) => !wrong.has(name) && ruleOf(record.mapping, name) !== undefined);
  const shown = [...faulty, ...mapped].map(({ place }) => place);
  return (wrong.has("") ? [...new Set([...shown, ...all.map(({ place }) => place)])] : shown).slice(
    0,
    MOST_COLUMNS,
  );
}
