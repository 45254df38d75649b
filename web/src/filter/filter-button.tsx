import { Button, Drawer, Group } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { lazy, Suspense, useMemo, useState } from "react";
import { IconFilter } from "../look/icons.ts";
import { Waiting } from "../parts/waiting.tsx";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./filter.module.css";
import { countParts } from "./model/change-filter.ts";
import type { AnyFilter } from "./model/filter.ts";
import { readFilter } from "./model/read-filter.ts";
import { PANEL_WORDS } from "./words/panel-words.ts";

const FilterPanel = lazy(async () => ({ default: (await import("./filter-panel.tsx")).FilterPanel }));

/**
 * "Filter (2)": opens the panel at the side, on a phone from the bottom; `f` does the same. To open it from elsewhere,
 * control `opened` and `onOpened`.
 */
export function FilterButton<F extends AnyFilter>(button: {
  value: F | undefined;
  onChange(filter: F | undefined): void;
  search?: string;
  /** Whether deleted leads are filtered. */
  deleted?: boolean;
  /** The key of the dataset whose rows are filtered; leads by default. */
  dataset?: string;
  opened?: boolean;
  onOpened?(opened: boolean): void;
}) {
  const { value, onChange } = button;
  const words = useWords(PANEL_WORDS);
  const phone = useMediaQuery("(max-width: 48em)");
  const [own, setOwn] = useState(false);
  const opened = button.opened ?? own;
  const open = button.onOpened ?? setOwn;
  const count = useMemo(() => countParts(readFilter(value)), [value]);
  useShortcut("f", words.filter, () => open(true));
  return (
    <>
      <Button
        variant={count === 0 ? "default" : "light"}
        leftSection={<IconFilter size={16} />}
        aria-haspopup="dialog"
        onClick={() => open(true)}
      >
        {words.filter}
        {count > 0 && ` (${count})`}
      </Button>
      <Drawer
        opened={opened}
        onClose={() => open(false)}
        title={words.filter}
        position={phone === true ? "bottom" : "right"}
        size={phone === true ? "88dvh" : 640}
        closeButtonProps={{ "aria-label": words.close }}
        classNames={{ content: styles.drawer ?? "", body: styles.drawerBody ?? "" }}
        radius={phone === true ? "lg" : 0}
      >
        <Suspense fallback={<Waiting lines={4} />}>
          <FilterPanel
            value={value}
            onChange={onChange}
            {...(button.search && { search: button.search })}
            {...(button.deleted && { deleted: true })}
            {...(button.dataset && { dataset: button.dataset })}
            foot={
              <Group justify="space-between" mt="sm">
                <Button
                  variant="subtle"
                  color="gray"
                  disabled={value === undefined}
                  onClick={() => onChange(undefined)}
                >
                  {words.clear}
                </Button>
                <Button onClick={() => open(false)}>{words.done}</Button>
              </Group>
            }
          />
        </Suspense>
      </Drawer>
    </>
  );
}
