import { type Static, Type } from "typebox";
import { Actor } from "../basics/actor.ts";
import { closed, nextCursor, orNull, stringOrNull, time } from "../basics/basics.ts";
import { oneOf } from "../basics/constants.ts";
import { FieldChange } from "../basics/field-change.ts";
import {
  CHANGE_COUNTS,
  CHANGE_KINDS,
  IRREVERSIBLE,
  KEPT_REASONS,
  RECORD_KINDS,
  RECORD_OUTCOMES,
  SURFACES,
  UNDO_OUTCOMES,
} from "../lists/changes.ts";

const count = Type.Integer({ minimum: 1 });

const ChangeCounts = Type.Object(
  Object.fromEntries(CHANGE_COUNTS.map((name) => [name, Type.Optional(count)])),
  {
    $id: "ChangeCounts",
    description: "What was done, by how many; what was not done is left out.",
    examples: [{ leads_updated: 1_149 }],
  },
);

const ChangeAbout = Type.Object(
  {
    op: Type.Optional(Type.String({ description: "The operation of a bulk change, such as set." })),
    fields: Type.Optional(
      Type.Array(Type.String(), { description: "The fields that were given, such as custom.plan." }),
    ),
    dataset_id: Type.Optional(Type.String()),
    import_id: Type.Optional(Type.String()),
    merge_id: Type.Optional(Type.String()),
    field: Type.Optional(Type.String({ description: "The key of a custom field." })),
    view_id: Type.Optional(Type.String()),
  },
  { $id: "ChangeAbout", description: "What the change was for, without values." },
);

const shape = {
  id: Type.String({
    description: "Such as chg_01k3…; the header X-Leadgate-Change and change_id of events have it.",
  }),
  kind: oneOf(CHANGE_KINDS, { description: "What was called." }),
  surface: oneOf(SURFACES, { description: "Where it was called." }),
  actor: Actor,
  created_at: time,
  request_id: stringOrNull,
  lead_id: orNull(Type.String(), { description: "The only lead that the call was for." }),
  lead_name: orNull(Type.String(), { description: "The present name of that lead, or its e-mail address." }),
  about: ChangeAbout,
  counts: ChangeCounts,
  state: oneOf(["running", "done"], { description: "running while a job is making it." }),
  job_id: stringOrNull,
  undoes: orNull(Type.String(), { description: "The change that this one took back." }),
  undone_by: orNull(Type.String(), { description: "The change that took this one back." }),
  reversible: Type.Boolean({ description: "Whether it can be undone." }),
  irreversible: orNull(oneOf(IRREVERSIBLE), {
    description:
      "Why it cannot be undone: final (what it removed is gone for good), undone (it is undone already), running, or " +
      "values_gone (its values were removed: the project kept too many, or a person was erased).",
  }),
  may_undo: Type.Boolean({
    description:
      "Whether this caller may undo it: its own changes, and as an owner or admin those of others.",
  }),
};

const EXAMPLE = {
  id: "chg_01kagx3m5w8q2r7t9v4c6d1f0h",
  kind: "bulk",
  surface: "panel",
  actor: { type: "person", id: "per_01kagx3m5w8q2r7t9v4c6d1f0h", label: "Ana Souza" },
  created_at: "2026-03-31T14:30:00.123456+00:00",
  request_id: "req_01kagx3m5w8q2r7t9v4c6d1f0h",
  lead_id: null,
  lead_name: null,
  about: { op: "set", fields: ["status"] },
  counts: { leads_updated: 1_149 },
  state: "done",
  job_id: null,
  undoes: null,
  undone_by: null,
  reversible: true,
  irreversible: null,
  may_undo: true,
} as const;

/** A change of the project's data: everything that one call, job or command wrote. */
const Change = Type.Object(shape, {
  $id: "Change",
  description: "Everything that one call, job or command wrote.",
  examples: [EXAMPLE],
});

export type Change = Static<typeof Change>;

export const ChangePage = Type.Object(
  { changes: Type.Array(Change), next_cursor: nextCursor },
  { $id: "ChangePage" },
);
export type ChangePage = Static<typeof ChangePage>;

const KeptField = Type.Object(
  {
    field: orNull(Type.String(), { description: "Null for the whole record." }),
    reason: oneOf(KEPT_REASONS),
    by: orNull(Actor, { description: "Who changed it since, if that is known." }),
    change_id: stringOrNull,
    at: orNull(time),
  },
  { $id: "KeptField", description: "What an undo left alone, and why." },
);

const recordShape = {
  kind: oneOf(RECORD_KINDS),
  id: Type.String({ description: "The id of the lead, row or view, or the key of the field." }),
  dataset_id: stringOrNull,
  name: orNull(Type.String(), {
    description:
      "The present name of a lead, or its e-mail address; the key of a row, or its first value, also in a change that " +
      "created or deleted a row that is gone; the present name of a view, or the last one that the change knows. Null if it " +
      "has none, and for rows without the permission to read datasets.",
  }),
};

const ChangeRecord = Type.Object(
  {
    ...recordShape,
    outcome: oneOf(RECORD_OUTCOMES, { description: "What happened to it." }),
    changes: Type.Array(FieldChange),
    events: Type.Integer({ minimum: 0, description: "How many events of the lead were recorded." }),
    kept: Type.Array(KeptField, { description: "For an undo: what it left alone." }),
  },
  { $id: "ChangeRecord", description: "What a change did to one record." },
);

export type ChangeRecord = Static<typeof ChangeRecord>;

export const ChangeDetail = Type.Object(
  { ...shape, records: Type.Array(ChangeRecord), next_cursor: nextCursor },
  {
    $id: "ChangeDetail",
    description:
      "A change with a page of its records: first what an undo kept, then leads, in the order of their ids.",
    examples: [
      {
        ...EXAMPLE,
        records: [
          {
            kind: "lead",
            id: "lead_01kagx3m5w8q2r7t9v4c6d1f0h",
            dataset_id: null,
            name: "Bruno Lima",
            outcome: "updated",
            changes: [{ field: "status", from: "new", to: "lost" }],
            events: 0,
            kept: [],
          },
        ],
        next_cursor: null,
      },
    ],
  },
);
export type ChangeDetail = Static<typeof ChangeDetail>;

export const UndoInput = Type.Object(
  {
    dry_run: Type.Optional(
      Type.Boolean({ description: "Reports what the undo would do, and does nothing." }),
    ),
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

export const Undo = Type.Object(
  {
    change_id: orNull(Type.String(), {
      description:
        "The change that the undo is, which can be undone itself; null for a dry run, and if nothing was put back.",
    }),
    undoes: Type.String(),
    dry_run: Type.Boolean(),
    state: oneOf(["running", "done"]),
    job_id: orNull(Type.String(), { description: "For GET /api/v1/jobs/{id}, if a job does it." }),
    counts: Type.Object(
      Object.fromEntries(UNDO_OUTCOMES.map((name) => [name, Type.Integer({ minimum: 0 })])),
      {
        description:
          "How many records there are of each outcome. A record with kept fields counts as kept, too.",
      },
    ),
    complete: Type.Boolean({
      description:
        "False for a dry run of more than 10,000 records, which looks at the first of them only and counts those.",
    }),
    records: Type.Array(UndoneRecord, {
      description: "The first 100, those with something kept first; GET /api/v1/changes/{change_id} has all.",
    }),
  },
  {
    $id: "Undo",
    description: "What an undo did, or would do.",
    examples: [
      {
        change_id: "chg_01kagx3m5w8q2r7t9v4c6d1f0j",
        undoes: "chg_01kagx3m5w8q2r7t9v4c6d1f0h",
        dry_run: false,
        state: "done",
        job_id: null,
        counts: { put_back: 1_137, deleted: 0, restored: 0, withdrawn: 0, kept: 12 },
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
      },
    ],
  },
);
export type Undo = Static<typeof Undo>;
