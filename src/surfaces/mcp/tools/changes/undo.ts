import { Type } from "typebox";
import { undoChange } from "../../../../domain/history/undo-change.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { recordOf } from "../shared/change-record.ts";
import { outside } from "../shared/outside-text.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly } from "../shared/words.ts";
import { jobIn, worked } from "../shared/writing.ts";

const FRAME_BYTES = 2_000;

type Report = Awaited<ReturnType<typeof undoChange.run>>;

/** Undoes a change of this assistant, or of others if its person manages the project. */
export const undoTool = composedTool({
  name: "undo",
  title: "Undo a change",
  description:
    "Puts back what a change did, except what others changed since and opt-outs, listed as kept. It can be undone, too.",
  input: exactly({
    change_id: Type.String({ minLength: 1, maxLength: 60, description: "Of an answer, or of list_changes." }),
    dry_run: Type.Optional(Type.Boolean({ description: "Only reports." })),
    clear_opt_out: Type.Optional(
      Type.Boolean({
        description: "Opt-outs that the change set, too; only if the user wants that.",
      }),
    ),
  }),
  needs: "leads:write",
  view: VIEWS.change,
  destructive: true,
  idempotent: false,
  path: (path) => path.replace(/^\$\.id/, "$.change_id"),
  taskOf: jobIn,
  async run(call, { change_id: id, dry_run: dry = false, ...clearing }) {
    const { clear_opt_out: clears = false } = clearing;
    if (dry)
      return reportOf(
        await perform(call.service, undoChange, call.caller, { id, dry_run: true, ...clearing }),
      );
    return await worked(call, {
      operation: undoChange,
      input: { id, ...clearing },
      title: clears ? `Undo the change ${id} and clear its opt-outs` : `Undo the change ${id}`,
      toAnswer: reportOf,
    });
  },
});

function reportOf({
  undoes,
  dry_run: dry,
  state,
  job_id: job,
  counts,
  opt_outs_kept: optOuts,
  total,
  complete,
  records,
}: Report): object {
  const shown = records.map(({ kind, id, name, outcome, put_back, kept }) =>
    outside({
      ...recordOf({ kind, id, dataset_id: null, name, outcome, changes: [], events: 0, kept } as never),
      ...(put_back.length > 0 ? { put_back } : {}),
    }),
  );
  return {
    undoes,
    ...(dry ? { dry_run: true } : {}),
    state,
    ...(job === null ? {} : { job_id: job, hint: "list_changes with id: job_id shows the progress." }),
    counts: Object.fromEntries(Object.entries(counts).filter(([, count]) => count > 0)),
    ...(optOuts > 0 ? { opt_outs_kept: optOuts } : {}),
    ...(complete
      ? {}
      : { total, hint: "counts are of the records checked so far; total is the number of all." }),
    records: fitList(shown, ANSWER_BYTES - FRAME_BYTES),
    untrusted_content: ["records"],
  };
}
