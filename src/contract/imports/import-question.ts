import { type Static, Type } from "typebox";
import { orNull } from "../basics/basics.ts";
import { QUESTION_KINDS } from "../lists/files.ts";

/** What an import asks, and how it is answered. */
export const ImportQuestion = Type.Object(
  {
    id: Type.String({ description: "The same in files of the same columns." }),
    kind: Type.Enum(QUESTION_KINDS),
    columns: Type.Array(Type.String(), { description: "The columns that it is about." }),
    message: Type.String({ description: "For people." }),
    examples: Type.Array(Type.String(), { description: "Cells that it is about." }),
    choices: Type.Array(
      Type.Object({
        id: Type.String({ description: "The answer that chooses it." }),
        label: Type.String({ description: "For people." }),
        examples: Type.Array(Type.String(), { description: "What it reads in the file." }),
      }),
    ),
    default: orNull(Type.String(), {
      description: "The choice that applies without an answer; null if none is careful.",
    }),
    blocking: Type.Boolean({
      description: "Whether a dry run and a commit wait for the answer.",
    }),
    answer: orNull(Type.String(), { description: "The choice that was made; null if none was." }),
    answered_in: orNull(Type.String(), {
      description: "The earlier import of a file with the same columns whose answer was taken over.",
    }),
  },
  { $id: "ImportQuestion", description: "What a file leaves open, and the choices." },
);
export type ImportQuestion = Static<typeof ImportQuestion>;

/** Choices by question. */
export const ImportAnswers = Type.Record(Type.String({ maxLength: 600 }), Type.String({ maxLength: 600 }), {
  $id: "ImportAnswers",
  minProperties: 1,
  maxProperties: 500,
  description: "By question, the id of one of its choices.",
});
