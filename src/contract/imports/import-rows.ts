import { type Static, Type } from "typebox";
import { nextCursor } from "../basics/basics.ts";

/** The query parameters that select failed rows by one of their errors. */
export const ofError = {
  column: Type.Optional(
    Type.String({
      maxLength: 500,
      description: "Rows with an error in this column; empty for errors of the whole row.",
    }),
  ),
  code: Type.Optional(Type.String({ maxLength: 100, description: "Rows with an error of this code." })),
};

/** A row of a file that was not written. */
export const FailedRow = Type.Object(
  {
    row: Type.Integer({ description: "The line where the row starts." }),
    errors: Type.Array(
      Type.Object({
        column: Type.String({ description: "The column's header; empty if the whole row is wrong." }),
        code: Type.String({ description: "Stable, for programs." }),
        message: Type.String({ description: "For people." }),
      }),
    ),
    cells: Type.Array(Type.String(), { description: "As in the file." }),
  },
  {
    $id: "FailedRow",
    description: "A row of a file that was not written, and why.",
    examples: [
      {
        row: 3,
        errors: [{ column: "E-mail", code: "not_an_email", message: "is not an e-mail address" }],
        cells: ["Ana", "ana@"],
      },
    ],
  },
);
export type FailedRow = Static<typeof FailedRow>;

export const FailedRowList = Type.Object(
  { errors: Type.Array(FailedRow, { description: "In the order of the file." }), next_cursor: nextCursor },
  { $id: "FailedRowList" },
);

/** One kind of error in the failed rows of an import. */
export const ErrorKind = Type.Object(
  {
    column: Type.String({ description: "Empty if the whole row is wrong." }),
    code: Type.String({ description: "Stable, for programs." }),
    message: Type.String({ description: "An example." }),
    rows: Type.Integer({ description: "How many rows have it." }),
    first_row: Type.Integer({ description: "The line where the first of them starts." }),
  },
  { $id: "ErrorKind", description: "One kind of error in the failed rows of an import." },
);
export type ErrorKind = Static<typeof ErrorKind>;

export const ErrorKinds = Type.Object(
  { kinds: Type.Array(ErrorKind, { description: "The 200 most frequent, the most frequent first." }) },
  { $id: "ErrorKinds" },
);

const fields = Type.Array(Type.String(), { description: "The fields that have changed since." });

/** A lead that an undo left unchanged. */
const KeptLead = Type.Object(
  {
    lead_id: Type.String(),
    reason: Type.Enum(["changed", "has_events", "merged", "gone", "opt_out"], {
      description:
        "It was changed, got events, was merged into another, was deleted, or keeps an opt-out, which an undo with clear_opt_out clears.",
    }),
    fields,
  },
  { $id: "KeptLead", description: "A lead that an undo left unchanged, at least in these fields." },
);

/** A dataset row that an undo left unchanged. */
const KeptRow = Type.Object(
  {
    row_id: Type.String(),
    reason: Type.Enum(["changed", "does_not_fit", "gone"], {
      description: "It was changed, its old values no longer fit the columns, or it was deleted.",
    }),
    fields,
  },
  { $id: "KeptRow", description: "A dataset row that an undo left unchanged, at least in these columns." },
);

export const KeptList = Type.Union(
  [
    Type.Object({ leads: Type.Array(KeptLead), next_cursor: nextCursor }),
    Type.Object({ rows: Type.Array(KeptRow), next_cursor: nextCursor }),
  ],
  { $id: "KeptList", description: "leads for an import of leads, rows for an import into a dataset." },
);
export type KeptList = Static<typeof KeptList>;
