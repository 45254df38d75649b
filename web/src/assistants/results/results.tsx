import { isFields, listIn } from "../host/answer.ts";
import type { Call } from "../host/call.ts";
import { DatasetRows, Datasets } from "./datasets.tsx";
import { DuplicateGroups, DuplicatesOfLead } from "./duplicates.tsx";
import { Explained } from "./explained.tsx";
import { Leads } from "./leads.tsx";
import { Summary } from "./summary.tsx";

/** Answers of find_leads, summarize_leads, find_duplicates and read_dataset, told apart by their members. */
export function Results({ call }: { call: Call }) {
  const { answer } = call;
  if (answer.leads !== undefined) return <Leads call={call} />;
  if (answer.rows !== undefined) return <DatasetRows call={call} />;
  if (answer.datasets !== undefined) return <Datasets call={call} />;
  if (answer.conditions !== undefined) return <Explained call={call} />;
  if (answer.duplicates !== undefined) return <DuplicatesOfLead call={call} />;
  if (answer.total_groups !== undefined) return <Summary call={call} />;
  if (listIn(answer, "groups").every(isFields) && answer.groups !== undefined)
    return <DuplicateGroups call={call} />;
  throw new Error("not an answer of these tools");
}
