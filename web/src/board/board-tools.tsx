import { NativeSelect, TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { FilterButton } from "../filter/filter-button.tsx";
import { FilterChips } from "../filter/filter-chips.tsx";
import { IconSearch } from "../look/icons.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./board.module.css";
import { type BoardQuery, ORDERS } from "./board-cards.ts";
import { BOARD_WORDS } from "./board-words.ts";

/** Search, filter and order above the columns. */
export function BoardTools(tools: {
  query: BoardQuery;
  onChange(change: Partial<BoardQuery>, options?: { replace?: boolean }): void;
}) {
  const { query, onChange } = tools;
  const words = useWords(BOARD_WORDS);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(query.search);
  const [filtering, setFiltering] = useState(false);
  const search = useDebouncedCallback(
    (text: string) => onChange({ search: text.trim() }, { replace: true }),
    250,
  );
  useEffect(() => {
    setTyped((present) => (present.trim() === query.search ? present : query.search));
  }, [query.search]);
  useShortcut("/", words.search, () => input.current?.focus());
  const filter = (next: BoardQuery["filter"]) => onChange({ filter: next });
  return (
    <div className={styles.tools}>
      <TextInput
        ref={input}
        type="search"
        aria-label={words.search}
        placeholder={words.search}
        leftSection={<IconSearch size={16} />}
        value={typed}
        maxLength={200}
        className={styles.search ?? ""}
        onChange={({ currentTarget }) => {
          setTyped(currentTarget.value);
          search(currentTarget.value);
        }}
      />
      <FilterButton
        value={query.filter}
        onChange={filter}
        search={query.search}
        opened={filtering}
        onOpened={setFiltering}
      />
      <NativeSelect
        aria-label={words.order}
        value={query.order}
        data={ORDERS.map((order) => ({ value: order, label: words[order] }))}
        onChange={({ currentTarget }) =>
          onChange({ order: ORDERS.find((order) => order === currentTarget.value) ?? "newest" })
        }
      />
      <div className={styles.chips}>
        <FilterChips value={query.filter} onChange={filter} onOpen={() => setFiltering(true)} />
      </div>
    </div>
  );
}
