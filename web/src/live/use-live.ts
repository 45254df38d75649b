import { useEffect, useRef } from "react";
import { useProject } from "../session/me.ts";
import { followingOf } from "./following.ts";
import type { LiveEvent } from "./stream/live-event.ts";

/**
 * Follows the project while the screen is shown: `event` is called for each event of its leads, `restarted` when what is
 * shown must be read again, because some were missed.
 */
export function useLive(listener: { event(event: LiveEvent): void; restarted(): void }): void {
  const { id } = useProject();
  const latest = useRef(listener);
  latest.current = listener;
  useEffect(
    () =>
      followingOf(id).follow({
        event: (event) => latest.current.event(event),
        restarted: () => latest.current.restarted(),
        viewing: () => undefined,
      }),
    [id],
  );
}
