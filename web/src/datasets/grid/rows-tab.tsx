import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { lazy, Suspense, useCallback, useState } from "react";
import { useLocation } from "react-router";
import type { Dataset } from "../../../../src/contract/datasets/dataset.ts";
import { text, useAddressState } from "../../address/use-address-state.ts";
import { asked } from "../../filter/model/filter.ts";
import { rowFilterPiece } from "../../filter/model/filter-address.ts";
import { Empty } from "../../parts/empty.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Waiting } from "../../parts/waiting.tsx";
import { leadAddress } from "../../records/lead.ts";
import { useMay, useProject } from "../../session/me.ts";
import { useCommand } from "../../shortcuts/commands.ts";
import { useShortcut } from "../../shortcuts/use-shortcut.ts";
import { sortPiece } from "../../table/sort.ts";
import table from "../../table/table.module.css";
import { useLocale, useWords } from "../../words/use-words.ts";
import type { Row } from "../model/dataset.ts";
import { faultText } from "../model/dataset-faults.ts";
import { ROW_WORDS } from "../model/row-words.ts";
import { useRowCount } from "../model/use-datasets.ts";
import type { Pasted } from "../paste/paste.ts";
import { readText } from "../rows/read-text.ts";
import { useKeptRow } from "../rows/row-drafts.ts";
import { useRowSelection } from "../rows/use-row-selection.ts";
import { type RowsAsked, useRows } from "../rows/use-rows.ts";
import { useSaveCell } from "../rows/use-save-cell.ts";
import { useDeleteRows } from "../rows/use-write-rows.ts";
import { ChosenBar, FaultBar } from "./bars.tsx";
import styles from "./grid.module.css";
import { Grid } from "./grid.tsx";
import { RowCards } from "./row-cards.tsx";
import { RowsTools } from "./rows-tools.tsx";

const RowDialog = lazy(async () => ({ default: (await import("./row-dialog.tsx")).RowDialog }));
const PasteDialog = lazy(async () => ({ default: (await import("../paste/paste-dialog.tsx")).PasteDialog }));

const ADDRESS = { q: text(), filter: rowFilterPiece, sort: sortPiece };
const NEWEST: readonly never[] = [];

/** The rows of a dataset: search, edit, add, paste and delete. */
export function RowsTab({ dataset }: { dataset: Dataset }) {
  const words = useWords(ROW_WORDS);
  const locale = useLocale();
  const { id: project, timezone } = useProject();
  const mayWrite = useMay("datasets:write");
  const isPhone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const [{ q, filter, sort = NEWEST }, change] = useAddressState(ADDRESS);
  const query: RowsAsked = { search: q, filter, sort };
  const onChange = ({ search, ...rest }: Partial<RowsAsked>, options?: { replace?: boolean }) =>
    change({ ...rest, ...(search !== undefined && { q: search }) }, options);
  const key = JSON.stringify([asked(query), sort]);

  const pages = useRows(dataset, query);
  const total = useRowCount(dataset.id, asked(query));
  const choice = useRowSelection(key);
  const cells = useSaveCell(dataset);
  const remove = useDeleteRows(dataset);
  const [open, setOpen] = useState<{ row: Row | undefined }>();
  const [pasted, setPasted] = useState<Pasted>();
  const add = () => setOpen({ row: undefined });
  useShortcut("c", words.add, add, { enabled: mayWrite });
  useCommand(words.add, mayWrite ? add : undefined);

  const { search } = useLocation();
  const toLead = useCallback(
    (row: Row) => leadAddress(project, row._lead_id ?? "", `datasets/${dataset.id}${search}`),
    [project, dataset.id, search],
  );
  const onOpen = useCallback((row: Row) => setOpen({ row }), []);
  const onPaste = (given: Pasted) => {
    const [line = []] = given.cells;
    const { row, column } = given;
    if (given.cells.length > 1 || line.length > 1 || row === undefined || column === undefined)
      return setPasted(given);
    const input = line[0] ?? "";
    const reading = readText(column, input, { locale, timezone });
    if ("code" in reading) cells.tell({ row: row._id, column, input, message: faultText(locale, reading) });
    else cells.save(row, column, reading.value, input);
  };
  const removeRows = (rows: readonly Row[]) =>
    remove.mutate(rows, {
      onSuccess() {
        choice.clear();
        setOpen(undefined);
      },
    });

  const { rows } = pages;
  useKeptRow(dataset.id, mayWrite, (row) => setOpen({ row }));
  const list = {
    name: `${dataset.id} ${key}`,
    dataset,
    rows,
    hasMore: pages.hasNextPage,
    isLoading: pages.isFetchingNextPage,
    isOld: pages.isPlaceholderData,
    load: pages.fetchNextPage,
    total: total.data?.relation === "eq" ? total.data.count : undefined,
    mayWrite,
    choice,
    leadAddress: toLead,
    onOpen,
  };
  const isAsked = filter !== undefined || q !== "";
  const none = pages.data !== undefined && !pages.isPlaceholderData && rows.length === 0;
  const addButton = mayWrite && <Button onClick={add}>{words.add}</Button>;
  return (
    <div className={styles.screen}>
      <RowsTools
        dataset={dataset}
        query={query}
        onChange={onChange}
        total={total.data}
        onAdd={mayWrite && !(none && !isAsked) ? add : undefined}
      />
      {pages.error !== null && <Problem error={pages.error} again={() => void pages.refetch()} />}
      <div className={table.sheet} hidden={pages.error !== null && rows.length === 0}>
        {pages.isPending ? (
          <div className={table.waiting}>
            <Waiting lines={8} />
          </div>
        ) : none ? (
          <Empty
            icon="datasets"
            title={isAsked ? words.nothing : words.none}
            actions={
              isAsked ? (
                <Button variant="default" onClick={() => change({ filter: undefined, q: "" })}>
                  {words.clear}
                </Button>
              ) : (
                addButton
              )
            }
          >
            {isAsked ? words.nothingWhat : mayWrite ? words.noneWhat : words.noneView}
          </Empty>
        ) : isPhone ? (
          <RowCards {...list} />
        ) : (
          <Grid
            {...list}
            cells={cells}
            sort={sort}
            onSort={(next) => change({ sort: next.length === 0 ? undefined : next })}
            onPaste={onPaste}
          />
        )}
        <FaultBar cells={cells} rows={rows} dataset={dataset} />
        {choice.chosen.size > 0 && (
          <ChosenBar
            dataset={dataset}
            choice={choice}
            isBusy={remove.isPending}
            onDelete={() => removeRows([...choice.chosen.values()])}
          />
        )}
      </div>
      <Suspense>
        {open !== undefined && (
          <RowDialog
            dataset={dataset}
            row={open.row}
            mayWrite={mayWrite}
            leadAddress={toLead}
            onDelete={(row) => removeRows([row])}
            onClose={() => setOpen(undefined)}
          />
        )}
        {pasted !== undefined && (
          <PasteDialog dataset={dataset} rows={rows} pasted={pasted} onClose={() => setPasted(undefined)} />
        )}
      </Suspense>
    </div>
  );
}
