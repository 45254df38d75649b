import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { lazy, Suspense, useCallback, useMemo, useRef, useState } from "react";
import { Link, useLocation } from "react-router";
import { addressIn } from "../../../src/core/navigation.ts";
import { useStatuses } from "../api/queries.ts";
import { readDraft } from "../drafts/draft-store.ts";
import { useDraftPlace } from "../drafts/use-draft.ts";
import { asked } from "../filter/model/filter.ts";
import { IconPlus } from "../look/icons.ts";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { leadAddress } from "../records/lead.ts";
import { UnsavedBar } from "../records/unsaved-bar.tsx";
import { useMay, useMayExport, useProject } from "../session/me.ts";
import { useCommand } from "../shortcuts/commands.ts";
import { useShortcut } from "../shortcuts/use-shortcut.ts";
import styles from "../table/table.module.css";
import { useWords } from "../words/use-words.ts";
import { BulkBar } from "./bulk/bulk-bar.tsx";
import { JobBar } from "./bulk/job-bar.tsx";
import { useJob } from "./bulk/use-job.ts";
import { NEW_LEAD } from "./create/new-lead-draft.ts";
import { LeadsTools } from "./leads-tools.tsx";
import { ActionsContext, KnownContext, type LeadsActions } from "./list/lead-list-context.ts";
import { LEAD_LIST_WORDS } from "./list/lead-list-words.ts";
import { CARD_COLUMNS, listFields } from "./list/list-fields.ts";
import { useColumnsOfRows } from "./list/use-columns-of-rows.ts";
import { useLeadPages } from "./list/use-lead-pages.ts";
import { useLeadsQuery } from "./list/use-leads-query.ts";
import { useLiveLeads } from "./list/use-live-leads.ts";
import { usePeople } from "./list/use-people.ts";
import { useSelection } from "./list/use-selection.ts";
import { useTotal } from "./list/use-total.ts";
import { CellConflict } from "./table/cell-conflict.tsx";
import { ColumnsMenu } from "./table/columns-menu.tsx";
import { writtenValue } from "./table/lead-cell-editor.tsx";
import { LeadsTable } from "./table/leads-table.tsx";
import { PhoneList } from "./table/phone-list.tsx";
import { useLayout } from "./table/use-layout.ts";
import { useSaveLeadCell } from "./table/use-save-lead-cell.ts";
import { useSheet } from "./table/use-sheet.ts";
import { areUsualUnknown, useUsualColumns } from "./table/use-usual-columns.ts";
import { CANDIDATES } from "./table/usual-columns.ts";
import { useCsv } from "./use-csv.ts";
import { viewQueryOf } from "./views/use-change-views.ts";
import { ViewTabs } from "./views/view-tabs.tsx";

const CreateDialog = lazy(async () => ({
  default: (await import("./create/create-dialog.tsx")).CreateDialog,
}));

const NOTHING: readonly never[] = [];

/** The columns of deleted leads: when they were deleted comes after the name. */
const ofDeleted = (columns: readonly string[]): string[] => [
  ...columns.slice(0, 1),
  "deleted_at",
  ...columns.slice(1),
];

/** All leads of the project, to find, read and change; or the deleted ones, to restore. */
export function Screen() {
  const words = useWords(LEAD_LIST_WORDS);
  const { id: projectId, timezone } = useProject();
  const mayWrite = useMay("leads:write");
  const isPhone = useMediaQuery("(max-width: 48em)", false, { getInitialValueInEffect: false });
  const { query, change, views, view, ready, missing, isChanged, choose, asView } = useLeadsQuery();
  const key = JSON.stringify([asked(query), query.sort]);
  const [jumped, setJumped] = useState({ key, from: "start" as "start" | "end" });
  const from = jumped.key === key ? jumped.from : "start";
  const onJump = (to: "start" | "end") => setJumped({ key, from: to });

  const fields = useRef(listFields(CARD_COLUMNS));
  const pages = useLeadPages(query, from, ready, fields);
  const onVisible = useLiveLeads(query, from, fields);
  const total = useTotal(asked(query), { ready, later: !pages.isPending && !pages.isPlaceholderData });
  const { deleted } = query;
  const isAsked = query.filter !== undefined || query.search !== "";
  const isPlain =
    !isAsked && !deleted && query.sort.length === 0 && pages.seen === "start" && !pages.isPlaceholderData;
  const usual = useUsualColumns(isPlain ? pages.data?.pages[0] : undefined);
  const layout = useLayout(
    deleted ? "deleted" : (view?.id ?? ""),
    deleted ? ofDeleted(usual) : (view?.query.fields ?? usual),
  );
  const wanted = isPhone ? CARD_COLUMNS : layout.layout.columns;
  const isUsual = view?.query.fields === undefined && !layout.isOwn && areUsualUnknown(projectId);
  fields.current = listFields(isUsual && !isPhone ? [...wanted, ...CANDIDATES] : wanted);
  const { columns: arrived, see } = useColumnsOfRows(
    wanted,
    { leads: pages.leads, isOld: pages.isPlaceholderData },
    fields,
  );
  const onSee = useCallback(
    (first: number, last: number) => {
      onVisible(first, last);
      see(first, last);
    },
    [onVisible, see],
  );
  const shownLayout = useMemo(() => ({ ...layout.layout, columns: arrived }), [layout.layout, arrived]);
  const sheet = useSheet(isPhone ? layout.layout : shownLayout, layout.change, deleted);
  const selection = useSelection(JSON.stringify(asked(query)));
  const { save, again, unsaved, conflict, settle } = useSaveLeadCell();
  const csv = useCsv(
    query,
    sheet.columns.map(({ name }) => name),
  );
  const draftPlace = useDraftPlace();
  const [creating, setCreating] = useState(() => mayWrite && readDraft(draftPlace, NEW_LEAD) !== undefined);
  const { job, begin, end } = useJob(mayWrite);
  const create = () => setCreating(true);
  useShortcut("c", words.create, create, { enabled: mayWrite });
  useCommand(words.create, mayWrite ? create : undefined);
  const onCsv = useMayExport() && !deleted ? () => csv.mutate() : undefined;
  useCommand(words.csv, onCsv);

  const { data: statuses } = useStatuses();
  const people = usePeople();
  const known = useMemo(() => ({ statuses: statuses?.statuses ?? NOTHING, people }), [statuses, people]);
  const { search } = useLocation();
  const present = useRef({ leads: pages.leads, selection, search });
  present.current = { leads: pages.leads, selection, search };
  const toggle = useCallback<LeadsActions["toggle"]>((index, through) => {
    const { leads, selection } = present.current;
    selection.toggle(leads, index, through);
  }, []);
  const actions = useMemo<LeadsActions>(
    () => ({ toggle, address: ({ id }) => leadAddress(projectId, id, `leads${search}`), save, unsaved }),
    [toggle, projectId, search, save, unsaved],
  );

  const list = {
    name: `${projectId} ${key}`,
    leads: pages.leads,
    from: pages.seen,
    hasMore: pages.hasNextPage,
    isLoading: pages.isFetchingNextPage,
    isOld: pages.isPlaceholderData,
    load: pages.fetchNextPage,
    total: total.data?.relation === "eq" ? total.data.count : undefined,
    selection,
    onSee,
  };
  const none =
    !pages.isPending && !pages.isPlaceholderData && pages.error === null && pages.leads.length === 0;
  const edited = sheet.all.find(({ name }) => name === conflict?.field);
  return (
    <Page
      title={words.title}
      wide
      actions={
        mayWrite && (
          <Button leftSection={<IconPlus size={16} />} onClick={create}>
            {words.create}
          </Button>
        )
      }
    >
      <ActionsContext value={actions}>
        <KnownContext value={known}>
          <div className={styles.screen}>
            <ViewTabs
              views={views}
              view={view}
              deleted={deleted}
              isChanged={isChanged || layout.isChanged}
              mayWrite={mayWrite}
              query={viewQueryOf(query, layout.layout.columns)}
              onDiscard={() => {
                asView();
                layout.asView();
              }}
              onSaved={choose}
            />
            <LeadsTools
              query={query}
              onChange={change}
              total={total.data}
              from={from}
              onJump={onJump}
              onCsv={onCsv}
              isMakingCsv={csv.isPending}
              columns={
                isPhone ? null : (
                  <ColumnsMenu all={sheet.all} layout={layout.layout} onLayout={layout.change} />
                )
              }
            />
            {missing && <p role="status">{words.viewGone}</p>}
            {pages.error !== null && <Problem error={pages.error} again={() => void pages.refetch()} />}
            <div className={styles.sheet} hidden={pages.error !== null && pages.leads.length === 0}>
              {pages.isPending && pages.error === null ? (
                <div className={styles.waiting}>
                  <Waiting lines={8} />
                </div>
              ) : none ? (
                <Empty
                  icon="leads"
                  title={isAsked ? words.nothingTitle : deleted ? words.noneDeletedTitle : words.noneTitle}
                  actions={
                    isAsked ? (
                      <Button variant="default" onClick={() => change({ filter: undefined, search: "" })}>
                        {words.clear}
                      </Button>
                    ) : (
                      mayWrite &&
                      !deleted && (
                        <>
                          <Button onClick={create}>{words.create}</Button>
                          <Button component={Link} to={addressIn(projectId, "imports")} variant="default">
                            {words.import}
                          </Button>
                        </>
                      )
                    )
                  }
                >
                  {isAsked ? words.nothingWhat : deleted ? words.noneDeletedWhat : words.noneWhat}
                </Empty>
              ) : isPhone ? (
                <PhoneList {...list} mayWrite={mayWrite} />
              ) : (
                <LeadsTable
                  {...list}
                  sheet={sheet}
                  layout={layout.layout}
                  onLayout={layout.change}
                  sort={query.sort}
                  onSort={(sort) => change({ sort })}
                  mayWrite={mayWrite}
                  onJump={onJump}
                />
              )}
              <UnsavedBar
                cells={unsaved.cells}
                labelOf={(field) => sheet.all.find(({ name }) => name === field)?.label ?? field}
                onAgain={(cell) => {
                  const column = sheet.all.find(({ name }) => name === cell.field);
                  if (column !== undefined) void again(cell, writtenValue(column, cell.input, timezone));
                }}
                editorOf={({ record, field }) =>
                  !isPhone &&
                  !deleted &&
                  list.leads.some(({ id }) => id === record) &&
                  sheet.columns.some(({ name }) => name === field)
                    ? () => unsaved.open(record, field)
                    : undefined
                }
                onDiscard={({ record, field }) => unsaved.forget(record, field)}
              />
              {job !== undefined && <JobBar key={job.id} job={job} mayStop={mayWrite} onOver={end} />}
              {mayWrite && selection.count !== 0 && (
                <BulkBar selection={selection} query={query} total={total.data} onJob={begin} />
              )}
            </div>
          </div>
          <Suspense>{creating && <CreateDialog onClose={() => setCreating(false)} />}</Suspense>
          {conflict !== undefined && edited !== undefined && (
            <CellConflict conflict={conflict} column={edited} onSettle={settle} />
          )}
        </KnownContext>
      </ActionsContext>
    </Page>
  );
}
