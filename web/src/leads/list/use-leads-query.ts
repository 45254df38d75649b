import { useMemo } from "react";
import type { Filter } from "../../../../src/contract/filters/filter.ts";
import type { View } from "../../../../src/contract/views.ts";
import type { Piece } from "../../address/piece.ts";
import { text, useAddressState } from "../../address/use-address-state.ts";
import { useViews } from "../../api/queries.ts";
import { isFilter } from "../../records/lead-query.ts";
import { type Sort, sortPiece } from "../../table/sort.ts";

/** Which leads are requested, and in which order. */
export interface LeadsQuery {
  filter: Filter | undefined;
  search: string;
  sort: readonly Sort[];
  /** Whether the deleted leads are shown instead of the others. */
  deleted: boolean;
}

/** The URL holds the view and the changes to it: undefined is as in the view, null is none. */
const filterPiece: Piece<Filter | null | undefined> = {
  read(given) {
    if (given === null) return undefined;
    try {
      const value: unknown = JSON.parse(given);
      return value === null ? null : isFilter(value) ? value : undefined;
    } catch {
      return undefined;
    }
  },
  write: (value) => (value === undefined ? null : JSON.stringify(value)),
};

const searchPiece: Piece<string | undefined> = {
  read: (given) => given?.slice(0, 200),
  write: (value) => value ?? null,
};

const PIECES = { view: text(), deleted: text(), q: searchPiece, filter: filterPiece, sort: sortPiece };
const NONE: readonly never[] = [];
const AS_VIEW = { q: undefined, filter: undefined, sort: undefined };

const queryOf = (view: View | undefined): Omit<LeadsQuery, "deleted"> => ({
  filter: view?.query.filter,
  search: view?.query.search ?? "",
  sort: view?.query.sort?.map((each): Sort => ({ dir: "asc", ...each })) ?? NONE,
});

const same = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** The query in the URL: that of its view, with the changes. */
export function useLeadsQuery() {
  const [state, setState] = useAddressState(PIECES);
  const { data, isPending, error } = useViews();
  const views = data?.views ?? NONE;
  const deleted = state.deleted !== "";
  const viewId = deleted ? "" : state.view;
  const view = views.find(({ id }) => id === viewId);
  const key = JSON.stringify([view?.query, state.filter, state.q, state.sort, deleted]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key covers them all and keeps the object stable
  const query = useMemo<LeadsQuery>(() => {
    const base = queryOf(view);
    return {
      filter: state.filter === undefined ? base.filter : (state.filter ?? undefined),
      search: state.q ?? base.search,
      sort: state.sort ?? base.sort,
      deleted,
    };
  }, [key]);

  /** Changes the query; what equals the view is left out of the URL. */
  const change = (changed: Partial<LeadsQuery>, options?: { replace?: boolean }) => {
    const base = queryOf(view);
    setState(
      {
        ...("search" in changed && { q: changed.search === base.search ? undefined : changed.search }),
        ...("sort" in changed && { sort: same(changed.sort, base.sort) ? undefined : changed.sort }),
        ...("filter" in changed && {
          filter: same(changed.filter, base.filter) ? undefined : (changed.filter ?? null),
        }),
      },
      options,
    );
  };
  return {
    query,
    change,
    views,
    view,
    /** Nothing is requested until the view is loaded. */
    ready: viewId === "" || !isPending,
    viewsError: error,
    missing: viewId !== "" && !isPending && view === undefined,
    isChanged: [state.q, state.filter, state.sort].some((each) => each !== undefined),
    choose: (id: string) => setState({ view: id, deleted: "", ...AS_VIEW }),
    asView: () => setState(AS_VIEW),
  };
}
