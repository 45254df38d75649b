import { useState } from "react";
import type { Job } from "../../../../src/contract/jobs/jobs.ts";
import { isOngoing } from "../../../../src/contract/lists/states.ts";
import { useRead } from "../../api/queries.ts";

/**
 * The bulk change that runs in the background: the one started here, otherwise the project's newest one, so that
 * it is still shown after a reload. Viewers may not read jobs.
 */
export function useJob(mayWrite: boolean) {
  const [begun, begin] = useState<Job>();
  const [over, setOver] = useState("");
  const { data } = useRead("jobs", "/v1/jobs", { query: { limit: 5 }, enabled: mayWrite });
  // an undo shows its progress itself
  const newest = data?.jobs.find(({ kind }) => kind === "bulk");
  const job =
    begun ?? (newest !== undefined && isOngoing(newest.state) && newest.id !== over ? newest : undefined);
  const end = () => {
    setOver(job?.id ?? "");
    begin(undefined);
  };
  return { job, begin, end };
}
