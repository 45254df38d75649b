import { ActionIcon, Button } from "@mantine/core";
import { useState } from "react";
import { Link } from "react-router";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { addressIn } from "../../../../src/core/navigation.ts";
import { FilterButton } from "../../filter/filter-button.tsx";
import { FilterChips } from "../../filter/filter-chips.tsx";
import { IconPlus, IconUpload } from "../../look/icons.ts";
import { useMay, useProject } from "../../session/me.ts";
import { QuickSearch } from "../../table/quick-search.tsx";
import table from "../../table/table.module.css";
import { useFormat } from "../../words/format.ts";
import { ROW_COUNT } from "../../words/row-count.ts";
import { useLocale, useWords } from "../../words/use-words.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import type { RowsAsked } from "../rows/use-rows.ts";

/** The toolbar: search, filter, ways to add rows, and the row count. */
export function RowsTools(tools: {
  dataset: Dataset;
  query: RowsAsked;
  onChange(changed: Partial<RowsAsked>, options?: { replace?: boolean }): void;
  total: { count: number; relation: "eq" | "gte" } | undefined;
  onAdd: (() => void) | undefined;
}) {
  const { dataset, query, onChange, total, onAdd } = tools;
  const words = useWords(ROW_WORDS);
  const locale = useLocale();
  const { number } = useFormat();
  const { id: project } = useProject();
  const mayImport = useMay("datasets:import");
  const [filtering, setFiltering] = useState(false);
  const importing = addressIn(project, `imports/new?dataset=${encodeURIComponent(dataset.key)}`);
  const filter = (next: RowsAsked["filter"]) => onChange({ filter: next });
  return (
    <>
      <div className={table.tools}>
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
          dataset={dataset.key}
          opened={filtering}
          onOpened={setFiltering}
        />
        {mayImport && (
          <>
            <Button
              component={Link}
              to={importing}
              variant="default"
              leftSection={<IconUpload size={16} />}
              visibleFrom="sm"
            >
              {words.import}
            </Button>
            <ActionIcon
              component={Link}
              to={importing}
              variant="default"
              size={36}
              aria-label={words.import}
              hiddenFrom="sm"
            >
              <IconUpload size={18} />
            </ActionIcon>
          </>
        )}
        {onAdd !== undefined && (
          <Button leftSection={<IconPlus size={16} />} onClick={onAdd}>
            {words.add}
          </Button>
        )}
        <span className={table.total} role="status">
          {total !== undefined && ROW_COUNT[locale](number(total.count), total.relation === "gte")}
        </span>
      </div>
      {query.filter !== undefined && (
        <FilterChips
          value={query.filter}
          onChange={filter}
          onOpen={() => setFiltering(true)}
          dataset={dataset.key}
        />
      )}
    </>
  );
}
