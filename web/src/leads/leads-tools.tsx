import { ActionIcon, Tooltip } from "@mantine/core";
import { type ReactNode, useState } from "react";
import type { CountedLeads } from "../../../src/contract/leads/figures.ts";
import { FilterButton } from "../filter/filter-button.tsx";
import { FilterChips } from "../filter/filter-chips.tsx";
import { IconChevronsDown, IconChevronsUp, IconFileTypeCsv } from "../look/icons.ts";
import { QuickSearch } from "../table/quick-search.tsx";
import styles from "../table/table.module.css";
import { useFormat } from "../words/format.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { COUNTED, LEAD_LIST_WORDS } from "./list/lead-list-words.ts";
import type { LeadsQuery } from "./list/use-leads-query.ts";

/** Search, filter, columns, download, and the number of leads. */
export function LeadsTools(tools: {
  query: LeadsQuery;
  onChange(changed: Partial<LeadsQuery>, options?: { replace?: boolean }): void;
  total: CountedLeads | undefined;
  from: "start" | "end";
  onJump(to: "start" | "end"): void;
  /** Undefined for people who may not export. */
  onCsv: (() => void) | undefined;
  isMakingCsv: boolean;
  columns: ReactNode;
}) {
  const { query, onChange, total, from } = tools;
  const words = useWords(LEAD_LIST_WORDS);
  const locale = useLocale();
  const { number } = useFormat();
  const [filtering, setFiltering] = useState(false);
  const filter = (next: LeadsQuery["filter"]) => onChange({ filter: next });
  const jump = from === "start" ? words.toEnd : words.toStart;
  return (
    <>
      <div className={styles.tools}>
        <QuickSearch
          search={query.search}
          label={words.search}
          // These changes of the URL add no step to the history.
          onSearch={(search) => onChange({ search }, { replace: true })}
        />
        <FilterButton
          value={query.filter}
          onChange={filter}
          search={query.search}
          deleted={query.deleted}
          opened={filtering}
          onOpened={setFiltering}
        />
        {tools.columns}
        {tools.onCsv !== undefined && (
          <Tooltip label={words.csv}>
            <ActionIcon
              variant="default"
              size={36}
              aria-label={words.csv}
              loading={tools.isMakingCsv}
              onClick={tools.onCsv}
            >
              <IconFileTypeCsv size={18} />
            </ActionIcon>
          </Tooltip>
        )}
        <span className={styles.total} role="status">
          {total !== undefined && COUNTED[locale](number(total.count), total.relation === "gte")}
        </span>
        <Tooltip label={jump}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={jump}
            onClick={() => tools.onJump(from === "start" ? "end" : "start")}
          >
            {from === "start" ? <IconChevronsDown size={18} /> : <IconChevronsUp size={18} />}
          </ActionIcon>
        </Tooltip>
      </div>
      {query.filter !== undefined && (
        <FilterChips value={query.filter} onChange={filter} onOpen={() => setFiltering(true)} />
      )}
    </>
  );
}
