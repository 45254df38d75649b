import { Type } from "typebox";
import { closed } from "../basics/basics.ts";

/** The groups of a recursive filter with this name. */
export const groupsOf = <Name extends string>(name: Name) =>
  [
    Type.Object(
      {
        and: Type.Array(Type.Ref(name), {
          description: "All of them match; an empty list matches everything.",
        }),
      },
      closed,
    ),
    Type.Object(
      {
        or: Type.Array(Type.Ref(name), {
          description: "At least one matches; an empty list matches nothing.",
        }),
      },
      closed,
    ),
    Type.Object({ not: Type.Ref(name, { description: "The exact complement." }) }, closed),
  ] as const;
