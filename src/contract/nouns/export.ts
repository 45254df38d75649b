import { type Static, Type } from "typebox";
import { Actor } from "./basics/actor.ts";
import { nextCursor, orNull } from "./basics/basics.ts";
import { JobError, JobState, jobTimes } from "./job.ts";
import { LeadsExport } from "./query.ts";

const { format: _, ...query } = LeadsExport.properties;

const ExportQuery = Type.Object(query, {
  $id: "ExportQuery",
  description: "The request: which leads, and the columns of the file.",
});

/** A file of leads that is made in the background. */
export const Export = Type.Object(
  {
    id: Type.String(),
    state: JobState,
    format: Type.Enum(["csv", "ndjson", "json"]),
    query: ExportQuery,
    actor: Actor,
    done: Type.Integer({ description: "How many of total rows are done." }),
    total: orNull(Type.Integer(), {
      description: "Null until they are counted, and if counting takes too long.",
    }),
    bytes: orNull(Type.Integer(), {
      description: "The size of the file; null until it is done.",
    }),
    error: orNull(JobError),
    ...jobTimes,
    expires_at: orNull(Type.String({ format: "date-time" }), {
      description:
        "When the file is deleted; null until it is done. It becomes the present when newer files need the space.",
    }),
  },
  {
    $id: "Export",
    description: "A file of leads, which is made in the background.",
    examples: [
      {
        id: "exp_01kagx3m5w8q2r7t9v4c6d1f0h",
        state: "done",
        format: "csv",
        query: {
          filter: { field: "status", op: "eq", value: "new" },
          columns: ["external_id", "name", "email"],
        },
        actor: { type: "key", id: "key_01kagx3m5w8q2r7t9v4c6d1f0h", label: "My CRM" },
        done: 1_200,
        total: 1_200,
        bytes: 61_440,
        error: null,
        created_at: "2026-03-31T14:30:00.123456+00:00",
        started_at: "2026-03-31T14:30:01.123456+00:00",
        finished_at: "2026-03-31T14:30:02.123456+00:00",
        expires_at: "2026-04-07T14:30:02.123456+00:00",
      },
    ],
  },
);
export type Export = Static<typeof Export>;

export const ExportPage = Type.Object(
  { exports: Type.Array(Export), next_cursor: nextCursor },
  { $id: "ExportPage" },
);
export type ExportPage = Static<typeof ExportPage>;
