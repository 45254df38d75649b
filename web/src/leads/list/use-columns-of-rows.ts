import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useCallback, useEffect, useMemo, useRef } from "react";
import type { FieldName } from "../../../../src/contract/filters/field-names.ts";
import { keyOf, useApi } from "../../api/queries.ts";
import { usePaced } from "../../live/use-paced.ts";
import { isListed, type ListedLead } from "../../records/listed-lead.ts";
import { hasColumn } from "./list-fields.ts";
import { type LeadPages, withLeads } from "./live-pages.ts";

const READ_MS = 100;
const MOST_IDS = 100;
const NOTHING_GONE: ReadonlySet<string> = new Set();

/**
 * Returns the columns that the visible rows have, and a function that takes the range of these rows. A column that is
 * switched on is read for them first, and appears with its values; other rows are read when they are seen.
 */
export function useColumnsOfRows(
  columns: readonly string[],
  { leads, isOld }: { leads: readonly ListedLead[]; isOld: boolean },
  fields: RefObject<readonly FieldName[]>,
): { columns: readonly string[]; see(first: number, last: number): void } {
  const { projectId, call } = useApi();
  const queries = useQueryClient();
  const range = useRef<readonly [number, number]>([0, 0]);
  const shown = useRef<readonly string[]>([]);
  const seen = () => leads.slice(Math.max(range.current[0], 0), range.current[1] + 1);
  const isLacking = (lead: ListedLead) => columns.some((column) => !hasColumn(lead, column));

  const ask = usePaced(READ_MS, async () => {
    const ids = seen()
      .filter(isLacking)
      .slice(0, MOST_IDS)
      .map(({ id }) => id);
    if (ids.length === 0) return;
    const body = {
      filter: { field: "id", op: "in", value: ids } as const,
      fields: [...fields.current],
      limit: ids.length,
    };
    const read = (await call("POST", "/v1/leads/search", { body })).leads.filter(isListed);
    const found = new Map(read.map((lead) => [lead.id, lead]));
    queries.setQueriesData<LeadPages>(
      { queryKey: keyOf(projectId, "leads", "table") },
      (now) => now && withLeads(now, found, NOTHING_GONE),
    );
  });

  const askIfLacking = useRef(() => {});
  askIfLacking.current = () => {
    if (!isOld && seen().some(isLacking)) ask();
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: other columns or leads may lack something
  useEffect(() => askIfLacking.current(), [columns, leads, isOld]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows that are visible are those of the last range
  const here = useMemo(() => {
    // the rows before belong to the columns before
    if (isOld && shown.current.length > 0) return shown.current;
    const rows = seen();
    shown.current = columns.filter(
      (column) => shown.current.includes(column) || rows.every((lead) => hasColumn(lead, column)),
    );
    return shown.current;
  }, [columns, leads, isOld]);
  const see = useCallback((first: number, last: number) => {
    range.current = [first, last];
    askIfLacking.current();
  }, []);
  return { columns: here, see };
}
