import * as endpoints from "../../../../contract/merges.ts";
import { type Duplicate, findDuplicates } from "../../../../domain/leads/merge/find-duplicates.ts";
import {
  listDuplicateGroups,
  type ShownGroup,
} from "../../../../domain/leads/merge/list-duplicate-groups.ts";
import { type CursorList, nextCursorOf } from "../../../../domain/operation/page.ts";
import { apiKey } from "../../../../http/request/api-key.ts";
import { ok, type Reply } from "../../../../http/response/reply.ts";
import { operationRoute, type Route } from "../../../../http/route/route.ts";
import { pathOf, queryOf } from "../../shared/input.ts";

/** `GET /api/v1/leads/{id}/duplicates`, and `GET /api/v1/leads/duplicates` for the entire project. */
export const duplicateRoutes: readonly Route[] = [
  operationRoute({
    endpoint: endpoints.listDuplicateGroups,
    caller: apiKey,
    input: (request, caller) => queryOf(request, caller, endpoints.listDuplicateGroups),
    operation: listDuplicateGroups,
    reply: (groups) => page("groups", groups, shownGroup),
  }),
  operationRoute({
    endpoint: endpoints.listDuplicates,
    caller: apiKey,
    input: (request, caller) => ({
      ...queryOf(request, caller, endpoints.listDuplicates),
      id: pathOf(request, "id"),
    }),
    operation: findDuplicates,
    reply: (duplicates) => page("duplicates", duplicates, shown),
  }),
];

const page = <Item>(name: string, list: CursorList<Item>, show: (item: Item) => string): Reply =>
  ok(`{"${name}":[${list.items.map(show).join(",")}],"next_cursor":${JSON.stringify(nextCursorOf(list))}}`);

const shownGroup = ({ count, leads }: ShownGroup): string =>
  `{"count":${count},"leads":[${leads.join(",")}]}`;

const shown = ({ json, score, reasons }: Duplicate): string =>
  `{"lead":${json},"score":${score},"reasons":${JSON.stringify(reasons)}}`;
