import { useMemo, useSyncExternalStore } from "react";
import { useMe, useProject } from "../session/me.ts";
import { followingOf } from "./following.ts";
import type { Viewer } from "./stream/live-event.ts";

/** The other people who have a lead open now. */
export function useViewers(leadId: string): readonly Viewer[] {
  const { id: projectId } = useProject();
  const { person } = useMe();
  const following = followingOf(projectId);
  const viewers = useSyncExternalStore(
    (watch) => following.watch(watch),
    () => following.viewers,
  );
  return useMemo(
    () => viewers.filter(({ id, lead_id }) => lead_id === leadId && id !== person.id),
    [viewers, leadId, person.id],
  );
}
