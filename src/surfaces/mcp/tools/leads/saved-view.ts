import { folded } from "../../../../core/folded.ts";
import { near } from "../../../../core/nearest.ts";
import { malformed, Refusal } from "../../../../core/refusal.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { getView } from "../../../../domain/views/get-view.ts";
import { listViews } from "../../../../domain/views/list-views.ts";
import type { Call } from "../../protocol/registry.ts";
import { orderOf } from "../shared/sort.ts";

/** A view as people saved it. */
interface SavedView {
  id: string;
  name: string;
  query: { filter?: unknown; sort?: Order[]; fields?: string[] };
}

type Order = ReturnType<typeof orderOf>;

/** The most views whose names are looked up: as many as a project may have. */
const MOST_VIEWS = 1_000;
const PAGE = 500;

/** Returns the saved view that a text names, by its name; refused with the names of those there are. */
export async function viewNamed({ service, caller }: Call, text: string): Promise<SavedView> {
  const views: SavedView[] = [];
  for (let cursor: string | null | undefined; cursor !== null && views.length < MOST_VIEWS; ) {
    const asked = { limit: PAGE, ...(cursor === undefined ? {} : { cursor }) };
    const { json, nextCursor } = await perform(service, listViews, caller, asked);
    views.push(...(JSON.parse(json) as SavedView[]));
    cursor = nextCursor;
  }
  const [only, ...others] = views.filter(({ name }) => folded(name) === folded(text));
  if (only !== undefined && others.length === 0) return only;
  const names = views.map(({ name }) => name);
  const alike = near(text, names);
  const listed = (alike.length > 0 ? alike : names)
    .slice(0, 10)
    .map((name) => JSON.stringify(name))
    .join(", ");
  const message =
    only === undefined
      ? `is not a saved view of this project${listed === "" ? "" : `; ${alike.length > 0 ? "the nearest are" : "its views are"} ${listed}`}`
      : `is the name of ${others.length + 1} views; use the id of one of them`;
  throw malformed([{ path: "$.view", code: "unknown_view", message }]);
}

/** Whether a text is the id of a view. */
export const isViewId = (text: string): boolean => text.startsWith("view_");

interface Given {
  view?: string;
  sort?: string[];
  fields?: string[];
}

/**
 * Returns the arguments with a saved view's order and columns, as people see it, where the call names none; the columns of a
 * view without any are `used`: those of its conditions.
 */
export async function asSaved<T extends Given>(
  call: Call,
  { view, sort, fields, ...given }: T,
): Promise<Omit<T, keyof Given> & { view?: string; sort?: Order[]; fields?: string[]; used: string[] }> {
  const own = {
    ...(sort === undefined ? {} : { sort: sort.map(orderOf) }),
    ...(fields === undefined ? {} : { fields }),
  };
  if (view === undefined) return { ...given, ...own, used: [] };
  const saved = isViewId(view) ? await viewOfId(call, view) : await viewNamed(call, view);
  const { filter, sort: order, fields: shown } = saved?.query ?? {};
  return {
    ...given,
    view: saved?.id ?? view,
    ...(order === undefined ? {} : { sort: order }),
    ...(shown === undefined ? {} : { fields: [...new Set(["name", ...shown])] }),
    ...own,
    used: fieldsIn(filter),
  };
}

/** Undefined if there is none: the filter that uses it is refused. */
async function viewOfId({ service, caller }: Call, id: string): Promise<SavedView | undefined> {
  try {
    const { json } = await perform(service, getView, caller, { id });
    return JSON.parse(json) as SavedView;
  } catch (error) {
    if (error instanceof Refusal && error.kind === "not_found") return undefined;
    throw error;
  }
}

/** The fields of the leads themselves in a filter of the service. */
function fieldsIn(filter: unknown): string[] {
  if (Array.isArray(filter)) return filter.flatMap(fieldsIn);
  if (typeof filter !== "object" || filter === null) return [];
  if ("field" in filter && typeof filter.field === "string") return [filter.field];
  const { and, or, not } = filter as Record<string, unknown>;
  return [and, or, not].flatMap(fieldsIn);
}
