import { Button } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { useCallback, useMemo } from "react";
import { Link, useLocation } from "react-router";
import { SCREENS } from "../../../src/core/panel.ts";
import { list, oneOf, text, useAddressState } from "../address/use-address-state.ts";
import { useStatuses } from "../api/queries.ts";
import { useLeadsQuery } from "../leads/list/use-leads-query.ts";
import { usePeople } from "../leads/list/use-people.ts";
import { IconTable } from "../look/icons.ts";
import { Empty } from "../parts/empty.tsx";
import { Problem } from "../parts/problem.tsx";
import { Page } from "../parts/screen.tsx";
import { Waiting } from "../parts/waiting.tsx";
import { useMay, useProject } from "../session/me.ts";
import { useWords } from "../words/use-words.ts";
import styles from "./board.module.css";
import { type BoardLead, type BoardQuery, ORDERS } from "./board-cards.ts";
import { BoardColumn } from "./board-column.tsx";
import { BoardTools } from "./board-tools.tsx";
import { BOARD_WORDS } from "./board-words.ts";
import { PhoneBoard } from "./phone-board.tsx";
import { useTotals } from "./use-board.ts";
import { useCardKeys } from "./use-card-keys.ts";
import { useLiveBoard } from "./use-live-board.ts";
import { useMove } from "./use-move.ts";

/** The board's own state. View, filter and search are in the URL as on the table. */
const ADDRESS = {
  order: oneOf(ORDERS),
  folded: list(),
  column: text(),
};

/** The leads in one column per status, to be moved between them. */
export function Screen() {
  const words = useWords(BOARD_WORDS);
  const { id: project } = useProject();
  const mayMove = useMay("leads:write");
  const address = useLocation();
  const phone = useMediaQuery("(max-width: 48em)");
  const [{ order, folded, column }, go] = useAddressState(ADDRESS);
  const { query: chosen, change: choose, ready } = useLeadsQuery();
  const { filter, search } = chosen;
  const query = useMemo<BoardQuery>(() => ({ filter, search, order }), [filter, search, order]);
  const given = useStatuses();
  const totals = useTotals(query, ready);
  const owners = usePeople();
  useLiveBoard(query);
  const send = useMove(query);
  const move = useCallback((card: BoardLead, to: string) => send({ card, to }), [send]);
  const onKeyDown = useCardKeys(mayMove);
  const statuses = withStrangers(given.data?.statuses ?? [], totals.data);
  const shown = statuses.includes(column) ? column : (statuses[0] ?? "");
  const error = given.error ?? totals.error;
  const asked = filter !== undefined || search !== "";
  const columnOf = (status: string) => (
    <BoardColumn
      key={status}
      query={query}
      status={status}
      statuses={statuses}
      owners={owners}
      total={totals.data && (totals.data.get(status) ?? { count: 0, sums: new Map() })}
      folded={phone !== true && folded.includes(status)}
      mayMove={mayMove}
      onMove={move}
      {...(phone === true
        ? {}
        : {
            onFold: (fold: boolean) =>
              go(
                { folded: fold ? [...folded, status] : folded.filter((each) => each !== status) },
                { replace: true },
              ),
          })}
    />
  );
  const nobody = totals.data !== undefined && [...totals.data.values()].every(({ count }) => count === 0);
  return (
    <Page
      title={words.title}
      lead={mayMove ? words.lead : words.readOnly}
      wide
      actions={
        HAS_TABLE && (
          <Button
            component={Link}
            to={`/projects/${project}/leads${tableOf(address.search)}`}
            variant="default"
            leftSection={<IconTable size={16} />}
          >
            {words.table}
          </Button>
        )
      }
    >
      <BoardTools
        query={query}
        onChange={({ order: next, ...change }, options) =>
          next === undefined ? choose(change, options) : go({ order: next }, options)
        }
      />
      {(given.isPending || !ready) && <Waiting />}
      {error !== null && (
        <Problem error={error} again={() => void Promise.all([given.refetch(), totals.refetch()])} />
      )}
      {error !== null || given.data === undefined || !ready ? null : nobody ? (
        <Empty
          icon="board"
          title={asked ? words.nothingTitle : words.emptyTitle}
          actions={
            asked ? (
              <Button variant="default" onClick={() => choose({ filter: undefined, search: "" })}>
                {words.clear}
              </Button>
            ) : (
              mayMove && (
                <Button component={Link} to={`/projects/${project}/imports`}>
                  {words.import}
                </Button>
              )
            )
          }
        >
          {asked ? words.nothingWhat : words.emptyWhat}
        </Empty>
      ) : phone === true ? (
        <PhoneBoard
          statuses={statuses}
          shown={shown}
          totals={totals.data}
          onShow={(status) => go({ column: status }, { replace: true })}
        >
          {columnOf(shown)}
        </PhoneBoard>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move between the links inside
        <div className={styles.board} onKeyDown={onKeyDown}>
          {statuses.map(columnOf)}
        </div>
      )}
    </Page>
  );
}

const HAS_TABLE = (SCREENS as readonly string[]).includes("leads");

/** The part of the URL that the table understands too. */
function tableOf(search: string): string {
  const parameters = new URLSearchParams(search);
  for (const own of Object.keys(ADDRESS)) parameters.delete(own);
  return parameters.size === 0 ? "" : `?${parameters}`;
}

/** The project's statuses, then those that leads have but the list lacks. */
const withStrangers = (statuses: readonly string[], totals: ReadonlyMap<string, unknown> | undefined) => [
  ...new Set([...statuses, ...(totals?.keys() ?? [])]),
];
