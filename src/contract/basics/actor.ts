import { type Static, Type } from "typebox";
import { orNull } from "./basics.ts";

/** Who did something. */
export const Actor = Type.Object(
  {
    type: Type.Enum(["key", "person", "token", "cli"], {
      description:
        "An API key, a person in the panel, an application by its authorization, or the command line.",
    }),
    id: orNull(Type.String(), { description: "Of the key, the person or the authorization." }),
    label: Type.String({ description: "The name at that time." }),
  },
  {
    $id: "Actor",
    description: "Who did it.",
    examples: [{ type: "key", id: "key_019a2b3c4d5e7f8a9b0c1d2e3f405162", label: "Sync" }],
  },
);
export type Actor = Static<typeof Actor>;
