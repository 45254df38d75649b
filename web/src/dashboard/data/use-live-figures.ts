import { useQueryClient } from "@tanstack/react-query";
import { keyOf, useApi } from "../../api/queries.ts";
import { useLive } from "../../live/use-live.ts";
import { usePaced } from "../../live/use-paced.ts";

const FIGURES_MS = 2_000;

/** Reads the figures again after leads changed. The next reading waits for the one before. */
export function useLiveFigures(): void {
  const { projectId } = useApi();
  const queries = useQueryClient();
  const ask = usePaced(FIGURES_MS, () =>
    queries.invalidateQueries({ queryKey: keyOf(projectId, "leads", "dashboard") }),
  );
  useLive({ event: ask, restarted: ask });
}
