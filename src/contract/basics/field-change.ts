import { Type } from "typebox";

/** A changed field with its former and its new value. */
export const FieldChange = Type.Object(
  {
    field: Type.String({
      description: "Such as status or custom.plan; deleted_at for deleting and restoring.",
    }),
    from: Type.Unknown({ description: "The former value; null if it was empty." }),
    to: Type.Unknown({ description: "The new value; null if it is empty." }),
  },
  {
    $id: "FieldChange",
    description: "A changed field, and its value before and after.",
    examples: [{ field: "status", from: "new", to: "lost" }],
  },
);
