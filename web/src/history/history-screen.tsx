import { Button, Paper } from "@mantine/core";
import { useEffect, useMemo } from "react";
import { useAddressState } from "../address/use-address-state.ts";
import { Empty } from "../parts/empty.tsx";
import lines from "../parts/lines.module.css";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useWords } from "../words/use-words.ts";
import { ChangeLine } from "./change-line.tsx";
import { HistoryFilters } from "./history-filters.tsx";
import { HISTORY_WORDS } from "./history-words.ts";
import { NewChanges } from "./new-changes.tsx";
import { HISTORY_ADDRESS, useHistory } from "./use-history.ts";

const ALL = { who: "", kind: [], from: "", to: "", undo: "", lead: "" } as const;

/** The history of the project: every change, newest first, with its undo. */
export function Screen() {
  const words = useWords(HISTORY_WORDS);
  const [asked, change] = useAddressState(HISTORY_ADDRESS);
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useHistory(asked);
  const changes = data?.pages.flatMap((page) => page.changes) ?? [];
  const known = useMemo(
    () => new Map(data?.pages.flatMap((page) => page.changes).map((each) => [each.id, each])),
    [data],
  );
  const isFiltered = Object.values(asked).some((value) => value.length > 0);
  const isEmptySoFar = data !== undefined && changes.length === 0;
  // with filters, a page may be empty although older ones are not
  const goOn = isEmptySoFar && hasNextPage && !isFetchingNextPage && error === null;
  useEffect(() => {
    if (goOn) void fetchNextPage();
  }, [goOn, fetchNextPage]);
  return (
    <Page title={words.title} lead={words.lead} wide>
      <HistoryFilters asked={asked} onChange={change} shown={changes} />
      {(isPending || (isEmptySoFar && hasNextPage && error === null)) && <Waiting />}
      {error !== null && <Problem error={error} again={() => void refetch()} />}
      {isEmptySoFar && !hasNextPage && (
        <Paper>
          <Empty
            icon="history"
            title={isFiltered ? words.nothing : words.none}
            actions={
              isFiltered && (
                <Button variant="default" onClick={() => change(ALL)}>
                  {words.clear}
                </Button>
              )
            }
          >
            {isFiltered ? words.nothingWhat : words.noneWhat}
          </Empty>
        </Paper>
      )}
      <NewChanges
        key={JSON.stringify(asked)}
        known={known}
        oldest={hasNextPage ? changes.at(-1)?.id : undefined}
        asked={asked}
      />
      {changes.length > 0 && (
        <Paper>
          <ol className={lines.list} aria-label={words.list}>
            {changes.map((each) => (
              <ChangeLine key={each.id} change={each} known={known} />
            ))}
          </ol>
        </Paper>
      )}
      {hasNextPage && changes.length > 0 && (
        <Button variant="default" mt="md" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          {words.more}
        </Button>
      )}
    </Page>
  );
}
