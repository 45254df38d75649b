import type { Call } from "../host/call.ts";
import { Declined } from "./declined.tsx";
import { Done } from "./done.tsx";
import { Job } from "./job.tsx";
import { Merged } from "./merged.tsx";
import { Proposal } from "./proposal.tsx";
import { Rehearsal } from "./rehearsal.tsx";
import { SavedView } from "./saved-view.tsx";
import { Undone } from "./undone.tsx";

/** Members that answers about done changes have. */
const DONE = ["failed", "created", "updated", "matched", "written", "dataset_id"];

/** Answers of the tools that write, told apart by their members. */
export function Change({ call }: { call: Call }) {
  const { answer } = call;
  if (answer.approval !== undefined) return <Proposal call={call} />;
  if (answer.done === false) return <Declined call={call} />;
  if (answer.job !== undefined) return <Job call={call} />;
  if (answer.undoes !== undefined) return <Undone call={call} />;
  if (answer.merged !== undefined) return <Merged call={call} />;
  if (answer.sample !== undefined) return <Rehearsal call={call} />;
  if (answer.view_id !== undefined) return <SavedView call={call} />;
  if (DONE.some((name) => answer[name] !== undefined)) return <Done call={call} />;
  throw new Error("not an answer of these tools");
}
