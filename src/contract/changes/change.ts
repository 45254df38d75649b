import { type Static, Type } from "typebox";
import { Actor } from "../basics/actor.ts";
import { nextCursor, orNull, stringOrNull, time } from "../basics/basics.ts";
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
    actor: Type.Optional(
      Type.String({ description: "For an undo of many changes: whose changes it took back." }),
    ),
    changes: Type.Optional(Type.Integer({ minimum: 1, description: "And how many." })),
    reason: Type.Optional(
      Type.String({ description: "Why do_not_contact was changed; gone once the lead is erased." }),
    ),
  },
  { $id: "ChangeAbout", description: "What the change was for, without values of fields." },
);
export type ChangeAbout = Static<typeof ChangeAbout>;

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
  undoes: orNull(Type.String(), {
    description: "The change that this one took back; null if these are several, which have it as undone_by.",
  }),
  undone_by: orNull(Type.String(), { description: "The change that took this one back." }),
  reversible: Type.Boolean({
    description: "Whether it can be undone, or its undo be continued, because that kept something.",
  }),
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

export const KeptField = Type.Object(
  {
    field: orNull(Type.String(), { description: "Null for the whole record." }),
    reason: oneOf(KEPT_REASONS),
    by: orNull(Actor, { description: "Who changed it since, if that is known." }),
    change_id: stringOrNull,
    at: orNull(time),
  },
  { $id: "KeptField", description: "What an undo left alone, and why." },
);

export const recordShape = {
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
