import { type Static, Type } from "typebox";
import { closed, noCursor } from "../basics/basics.ts";
import { endpoint, json } from "../basics/endpoint.ts";
import { MEANINGS } from "../lists/figures.ts";
import { tag } from "./fields.ts";

const Status = Type.String({ minLength: 1, maxLength: 60 });

const meanings = (description: string) =>
  Type.Record(Type.String(), Type.Enum(MEANINGS, { description: "open, won or lost." }), { description });

const StatusList = Type.Object(
  {
    statuses: Type.Array(Type.String()),
    meanings: meanings("What each status means; status_meaning compares it in filters."),
    next_cursor: noCursor,
  },
  {
    $id: "StatusList",
    description: "The statuses of the project's leads, in order.",
    examples: [
      {
        statuses: ["new", "contacted", "won", "lost"],
        meanings: { new: "open", contacted: "open", won: "won", lost: "lost" },
        next_cursor: null,
      },
    ],
  },
);

export const StatusListInput = Type.Object(
  {
    statuses: Type.Array(Status, { minItems: 1, maxItems: 50, description: "All statuses, in order." }),
    map: Type.Optional(
      Type.Record(Type.String(), Status, {
        description: "The new status for leads of each removed status: {old: new}.",
      }),
    ),
    meanings: Type.Optional(
      meanings(
        "What statuses mean. Those left out keep their meaning, a renamed one that of the old, and a new one gets it " +
          "from its English or Portuguese name: Ganho is won.",
      ),
    ),
  },
  { ...closed, $id: "StatusListInput", description: "The statuses that the project shall have." },
);
export type StatusListInput = Static<typeof StatusListInput>;

const usual = { tag, refusals: "v1" } as const;

export const listStatuses = endpoint({
  ...usual,
  id: "statuses.list",
  method: "GET",
  url: "/api/v1/statuses",
  summary: "List statuses",
  description: "In order; the first one is for new leads.",
  needs: "leads:read",
  answers: { 200: json(StatusList, "The statuses.") },
});

export const replaceStatuses = endpoint({
  ...usual,
  id: "statuses.replace",
  method: "PUT",
  url: "/api/v1/statuses",
  summary: "Replace the statuses",
  description:
    "Adds, removes, renames and orders them. 409 with a count while leads have a removed status, unless map gives " +
    "their new one.",
  needs: "schema:write",
  body: StatusListInput,
  examples: {
    order: { statuses: ["new", "contacted", "won", "lost"] },
    rename: { statuses: ["new", "in contact", "won", "lost"], map: { contacted: "in contact" } },
  },
  answers: { 200: json(StatusList, "The statuses as they are now.") },
  refused: [409],
});
