import { Alert, Button, Text } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { Fault } from "../../../src/contract/basics/problem.ts";
import { sentenceOf } from "../parts/problem.tsx";
import { useFormat } from "../words/format.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import styles from "./filter.module.css";
import type { FilterCheck } from "./rows/use-filter-check.ts";
import { PANEL_WORDS } from "./words/panel-words.ts";

/** Below the conditions: the number of matching leads, and the filter as a sentence, or its errors. */
export function FilterMeaning(meaning: {
  check: FilterCheck;
  others: readonly Fault[];
  everybody: boolean;
  ofRows: boolean;
  children?: ReactNode;
}) {
  const { check, others, everybody } = meaning;
  const { sentence, faults, count, stale, error } = check;
  const words = useWords(PANEL_WORDS);
  const locale = useLocale();
  const { number } = useFormat();
  const wrong = faults !== undefined && faults.length > 0;
  const written = count === undefined ? "…" : `${number(count.count)}${count.relation === "gte" ? "+" : ""}`;
  return (
    <div className={styles.meaning}>
      <div className={styles.count} data-stale={stale || wrong || undefined} role="status" aria-busy={stale}>
        <strong>{wrong ? "—" : written}</strong>{" "}
        <span>{meaning.ofRows ? words.rowMatches : words.matches}</span>
      </div>
      {wrong ? (
        <Text size="sm" c="var(--warn)">
          {words.wrong}
        </Text>
      ) : meaning.ofRows ? null : (
        <Sentence
          text={everybody ? words.everybody : (sentence ?? words.checking)}
          stale={faults === undefined}
        />
      )}
      {others.map(({ path, code, message }) => (
        <Text key={path + code} size="xs" c="var(--warn)" role="alert">
          {message}
        </Text>
      ))}
      {error !== null && error !== undefined && !wrong && (
        <Alert color="red" variant="light" p="xs" mt="xs">
          {sentenceOf(locale, error)}
        </Alert>
      )}
      {meaning.children}
    </div>
  );
}

/** A longer sentence is cut until the person expands it. */
const LONG = 220;

function Sentence({ text, stale }: { text: string; stale: boolean }) {
  const words = useWords(PANEL_WORDS);
  const [whole, setWhole] = useState(false);
  const isLong = text.length > LONG;
  return (
    <>
      <Text
        size="sm"
        className={styles.sentence}
        data-stale={stale || undefined}
        data-cut={(isLong && !whole) || undefined}
      >
        {text}
      </Text>
      {isLong && (
        <Button size="compact-xs" variant="subtle" aria-expanded={whole} onClick={() => setWhole(!whole)}>
          {whole ? words.less : words.whole}
        </Button>
      )}
    </>
  );
}
