import { ActionIcon, Button, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { useMemo } from "react";
import { IconX } from "../look/icons.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import styles from "./filter.module.css";
import { removePart } from "./model/change-filter.ts";
import type { AnyFilter } from "./model/filter.ts";
import { readFilter } from "./model/read-filter.ts";
import { unknownOptions } from "./model/unknown-options.ts";
import { writeFilter } from "./model/write-filter.ts";
import { useAskFields } from "./rows/use-ask-fields.ts";
import { cut, usePhrase } from "./use-phrase.ts";
import { PANEL_WORDS, UNKNOWN_OPTION } from "./words/panel-words.ts";

interface Shown<F extends AnyFilter> {
  value: F | undefined;
  onChange(filter: F | undefined): void;
  onOpen?(): void;
  /** The key of the dataset whose rows are filtered; leads by default. */
  dataset?: string;
}

/** The filter as chips that can be removed one by one; nothing without a filter. `onOpen` opens the panel. */
export const FilterChips: <F extends AnyFilter>(chips: Shown<F>) => ReactNode = Chips;

/** More are not listed: one is enough to look at the filter. */
const MOST_UNKNOWN = 5;

function Chips(chips: Shown<AnyFilter>) {
  const { value, onChange } = chips;
  const words = useWords(PANEL_WORDS);
  const locale = useLocale();
  const root = useMemo(() => readFilter(value), [value]);
  const phrase = usePhrase(chips.dataset);
  const fields = useAskFields(
    chips.dataset === undefined ? { of: "leads" } : { of: "rows", dataset: chips.dataset },
  );
  const unknown = useMemo(() => unknownOptions(root, fields), [root, fields]);
  if (root.parts.length === 0) return null;
  return (
    <>
      <ul className={styles.chips} aria-label={words.filter}>
        {root.parts.map((part, i) => {
          const text = phrase(part);
          return (
            <li key={part.id} className={styles.chipItem}>
              {i > 0 && root.join === "or" && <span className={styles.word}>{words.or}</span>}
              <span className={styles.chip}>
                {chips.onOpen === undefined ? (
                  <bdi className={styles.chipText}>{text}</bdi>
                ) : (
                  <button type="button" className={styles.chipText} onClick={chips.onOpen}>
                    <bdi>{text}</bdi>
                  </button>
                )}
                <ActionIcon
                  variant="transparent"
                  color="gray"
                  size={24}
                  aria-label={`${words.takeAway}: ${text}`}
                  onClick={() => onChange(writeFilter(removePart(root, part.id)).filter)}
                >
                  <IconX size={14} />
                </ActionIcon>
              </span>
            </li>
          );
        })}
        <li>
          <Button size="compact-sm" variant="subtle" color="gray" onClick={() => onChange(undefined)}>
            {words.clear}
          </Button>
        </li>
      </ul>
      {unknown.length > 0 && (
        <div role="status">
          {unknown.slice(0, MOST_UNKNOWN).map(({ label, value }) => (
            <Text key={label + value} size="sm" c="var(--warn)">
              <bdi>{UNKNOWN_OPTION[locale](cut(value), label)}</bdi>
            </Text>
          ))}
        </div>
      )}
    </>
  );
}
