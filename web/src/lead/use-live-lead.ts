import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { isOwnChange } from "../api/own-changes.ts";
import { keyOf, useApi } from "../api/queries.ts";
import { flash } from "../live/flash.ts";
import type { LiveEvent } from "../live/stream/live-event.ts";
import { useLive } from "../live/use-live.ts";
import { usePaced } from "../live/use-paced.ts";
import { changedFields } from "../records/lead-changes.ts";
import type { Found } from "../records/use-lead.ts";

const LEAD_MS = 250;

/** Reads the lead and its timeline again when colleagues change it. */
export function useLiveLead(id: string): void {
  const { projectId } = useApi();
  const queries = useQueryClient();
  const events = useRef<LiveEvent[]>([]);
  const all = useRef(false);
  const ask = usePaced(LEAD_MS, async () => {
    const isNews = all.current || events.current.some(({ change_id }) => !isOwnChange(change_id));
    all.current = false;
    events.current = [];
    if (!isNews) return;
    const one = keyOf(projectId, "leads", "one", id);
    const before = queries.getQueryData<Found>(one);
    await Promise.all(
      [one, keyOf(projectId, "events")].map((queryKey) => queries.invalidateQueries({ queryKey })),
    );
    const after = queries.getQueryData<Found>(one);
    if (before === undefined || after === undefined || !("lead" in before) || !("lead" in after)) return;
    flash(changedFields(before.lead, after.lead).map((field) => `[data-field="${field}"]`));
  });
  useLive({
    event(event) {
      if (event.lead_id !== id) return;
      events.current.push(event);
      ask();
    },
    restarted() {
      all.current = true;
      ask();
    },
  });
}
