import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useRef, useState } from "react";
import { IconSearch } from "../look/icons.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import styles from "./table.module.css";

/** Searches a table while the user types. */
export function QuickSearch({
  search,
  label,
  onSearch,
}: {
  search: string;
  label: string;
  onSearch(text: string): void;
}) {
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(search);
  const told = useRef(search);
  const tell = useDebouncedCallback((text: string) => {
    told.current = text;
    onSearch(text);
  }, 150);
  useEffect(() => {
    if (search !== told.current) setTyped(search);
    told.current = search;
  }, [search]);
  useShortcut("/", label, () => input.current?.focus());
  return (
    <TextInput
      ref={input}
      type="search"
      className={styles.search ?? ""}
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={16} />}
      maxLength={200}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        tell(currentTarget.value.trim());
      }}
    />
  );
}
