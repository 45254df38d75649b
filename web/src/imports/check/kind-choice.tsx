import { UnstyledButton } from "@mantine/core";
import type { ErrorKind } from "../../../../src/contract/imports/import-rows.ts";
import { CELL_FAULTS } from "../../words/cell-faults.ts";
import { useFormat } from "../../words/format.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import styles from "./check.module.css";
import { CHECK_WORDS } from "./check-words.ts";

/** The types of errors with their row counts; selecting one filters the rows below. */
export function KindChoice(choice: {
  kinds: readonly ErrorKind[];
  chosen: Pick<ErrorKind, "column" | "code"> | undefined;
  onChoose(kind: Pick<ErrorKind, "column" | "code"> | undefined): void;
}) {
  const words = useWords(CHECK_WORDS);
  const said = CELL_FAULTS[useLocale()];
  const { number } = useFormat();
  const { kinds, chosen, onChoose } = choice;
  return (
    <ul className={styles.kinds} aria-label={words.kinds}>
      <li>
        <UnstyledButton
          className={styles.kind}
          aria-pressed={chosen === undefined}
          onClick={() => onChoose(undefined)}
        >
          {words.all}
        </UnstyledButton>
      </li>
      {kinds.map(({ column, code, message, rows }) => (
        <li key={`${code}:${column}`}>
          <UnstyledButton
            className={styles.kind}
            aria-pressed={chosen?.code === code && chosen.column === column}
            onClick={() => onChoose({ column, code })}
          >
            <strong>
              <bdi>{column === "" ? words.whole : column}</bdi>
            </strong>{" "}
            <bdi>{said[code] ?? message}</bdi> · {number(rows)}
          </UnstyledButton>
        </li>
      ))}
    </ul>
  );
}
