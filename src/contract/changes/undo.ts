import { type Static, Type } from "typebox";
import { ClearingInput, closed, orNull } from "../basics/basics.ts";
import { oneOf } from "../basics/constants.ts";
import { UNDO_OUTCOMES } from "../lists/changes.ts";
import { KeptField, recordShape } from "./change.ts";

export const UndoInput = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({ description: "Reports what the undo would do, and does nothing." }),
    ),
    ...ClearingInput.properties,
  },
  { ...closed, $id: "UndoInput" },
);
export type UndoInput = Static<typeof UndoInput>;

const UndoneRecord = Type.Object(
  {
    ...recordShape,
    outcome: oneOf(UNDO_OUTCOMES, { description: "What the undo did to it." }),
    put_back: Type.Array(Type.String(), { description: "The fields that have their former values again." }),
    kept: Type.Array(KeptField),
  },
  { $id: "UndoneRecord", description: "What an undo did to one record." },
);

const undoShape = {
  change_id: orNull(Type.String(), {
    description:
      "The change that the undo is, which can be undone itself; null for a dry run, and if nothing was put back. An undo that is " +
      "continued is the same change.",
  }),
  dry_run: Type.Boolean(),
  state: oneOf(["running", "done"]),
  job_id: orNull(Type.String(), { description: "For GET /api/v1/jobs/{id}, if a job does it." }),
  counts: Type.Object(Object.fromEntries(UNDO_OUTCOMES.map((name) => [name, Type.Integer({ minimum: 0 })])), {
    description:
      "How many records there are of each outcome. A record with kept fields counts as kept, too; one that several of the " +
      "changes wrote counts for each.",
  }),
  opt_outs_kept: Type.Integer({
    minimum: 0,
    description:
      "How many leads keep an opt-out, which needs clear_opt_out; 0 without the permission to read leads, and while a job undoes.",
  }),
  total: Type.Integer({
    minimum: 0,
    description:
      "The exact number of records that the undo looks at: all of the change, or those of which an earlier round kept something.",
  }),
  complete: Type.Boolean({
    description:
      "False for a dry run that looked at a part of the records only, because all would have taken longer than some " +
      "seconds: counts are of that part, and total is the number of all.",
  }),
  records: Type.Array(UndoneRecord, {
    description: "The first 100, those with something kept first; GET /api/v1/changes/{change_id} has all.",
  }),
};

const UNDO_EXAMPLE = {
  change_id: "chg_01kagx3m5w8q2r7t9v4c6d1f0j",
  dry_run: false,
  state: "done",
  job_id: null,
  counts: { put_back: 1_137, deleted: 0, restored: 0, withdrawn: 0, kept: 12 },
  opt_outs_kept: 0,
  total: 1_149,
  complete: true,
  records: [
    {
      kind: "lead",
      id: "lead_01kagx3m5w8q2r7t9v4c6d1f0h",
      dataset_id: null,
      name: "Bruno Lima",
      outcome: "kept",
      put_back: [],
      kept: [
        {
          field: "status",
          reason: "changed_since",
          by: { type: "person", id: "per_01kagx3m5w8q2r7t9v4c6d1f0k", label: "Bia Reis" },
          change_id: "chg_01kagx3m5w8q2r7t9v4c6d1f0k",
          at: "2026-03-31T14:31:00.123456+00:00",
        },
      ],
    },
  ],
} as const;

export const Undo = Type.Object(
  { ...undoShape, undoes: Type.String() },
  {
    $id: "Undo",
    description: "What an undo did, or would do.",
    examples: [{ ...UNDO_EXAMPLE, undoes: "chg_01kagx3m5w8q2r7t9v4c6d1f0h" }],
  },
);
export type Undo = Static<typeof Undo>;

export const UndoManyInput = Type.Object(
  {
    actor: Type.String({
      minLength: 1,
      maxLength: 100,
      description: "The id of the key, person or authorization that made the changes; `me` for one's own.",
    }),
    from: Type.String({
      maxLength: 40,
      description: "A date or a timestamp: changes from then on are undone.",
    }),
    to: Type.Optional(
      Type.String({
        maxLength: 40,
        description: "Changes before this date or timestamp. Default: all since.",
      }),
    ),
    ...UndoInput.properties,
  },
  { ...closed, $id: "UndoManyInput" },
);
export type UndoManyInput = Static<typeof UndoManyInput>;

const NotUndone = Type.Object(
  {
    change_id: Type.String(),
    code: Type.String({
      description:
        "As of the refusal to undo it by itself, such as irreversible, still_running or values_gone.",
    }),
    message: Type.String(),
  },
  { $id: "NotUndone", description: "A change that was not undone with the others, and why." },
);
export type NotUndone = Static<typeof NotUndone>;

export const UndoMany = Type.Object(
  {
    ...undoShape,
    changes: Type.Integer({
      minimum: 0,
      description: "How many changes it takes back, or continues to take back.",
    }),
    not_undone: Type.Array(NotUndone, { description: "Changes of the actor that cannot be undone." }),
  },
  {
    $id: "UndoMany",
    description: "What an undo of many changes did, or would do.",
    examples: [
      {
        ...UNDO_EXAMPLE,
        changes: 3,
        not_undone: [
          {
            change_id: "chg_01kagx3m5w8q2r7t9v4c6d1f0m",
            code: "irreversible",
            message: "What this change removed is gone for good. It cannot be undone.",
          },
        ],
      },
    ],
  },
);
export type UndoMany = Static<typeof UndoMany>;
