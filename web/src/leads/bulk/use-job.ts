import { useState } from "react";
import { useRead } from "../../api/queries.ts";
import { isGoing, type Job } from "./bulk-calls.ts";

/** The bulk change that goes on behind: the one begun here, else the project's newest, so that a reload loses no sight of it. */
export function useJob() {
  const [begun, begin] = useState<Job>();
  const [over, setOver] = useState("");
  const { data } = useRead<{ jobs: Job[] }>("jobs", "/v1/jobs?limit=1");
  const newest = data?.jobs[0];
  const job = begun ?? (newest !== undefined && isGoing(newest) && newest.id !== over ? newest : undefined);
  const end = () => {
    setOver(job?.id ?? "");
    begin(undefined);
  };
  return { job, begin, end };
}
