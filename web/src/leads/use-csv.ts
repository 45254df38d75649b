import { notifications } from "@mantine/notifications";
import { isOngoing } from "../../../src/contract/lists/states.ts";
import { useApi } from "../api/queries.ts";
import { addressOf } from "../api/request.ts";
import { useSubmit } from "../api/use-submit.ts";
import { asked } from "../filter/model/filter.ts";
import { failed } from "../parts/toast.ts";
import { fieldNames, leadSort } from "../records/lead-query.ts";
import { useLocale, useWords } from "../words/use-words.ts";
import { LEAD_LIST_WORDS } from "./list/lead-list-words.ts";
import type { LeadsQuery } from "./list/use-leads-query.ts";

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/**
 * Exports the leads on screen as CSV: same leads, order and columns. The file is made in the background,
 * whatever its size.
 */
export function useCsv(query: LeadsQuery, columns: readonly string[]) {
  const { projectId, call } = useApi();
  const words = useWords(LEAD_LIST_WORDS);
  const locale = useLocale();
  return useSubmit({
    async mutationFn() {
      const body = {
        ...asked(query),
        ...(query.sort.length > 0 && { sort: leadSort(query.sort) }),
        ...(columns.length > 0 && { columns: fieldNames(columns) }),
        format: "csv" as const,
        bom: true,
      };
      let file = await call("POST", "/v1/exports", { body });
      const id = notifications.show({
        message: words.preparing,
        loading: true,
        autoClose: false,
        withBorder: true,
      });
      try {
        for (let wait = 250; isOngoing(file.state); wait = Math.min(wait * 1.5, 3_000)) {
          await pause(wait);
          file = await call("GET", "/v1/exports/{id}", { params: { id: file.id } });
        }
      } finally {
        notifications.hide(id);
      }
      return file;
    },
    onSuccess({ id, state }) {
      if (state !== "done") {
        notifications.show({ message: words.csvFailed, color: "red", role: "alert", withBorder: true });
        return;
      }
      const link = document.createElement("a");
      link.href = addressOf(projectId, "GET", "/v1/exports/{id}/file", { params: { id } });
      link.download = "";
      link.click();
      notifications.show({ message: words.csvDone, color: "pine", role: "status", withBorder: true });
    },
    onError: (error) => failed(locale, error),
  });
}
