import { type Static, Type } from "typebox";
import { ClearingInput, IdInPath, nextCursor, orNull, paging } from "./basics/basics.ts";
import { oneOf } from "./basics/constants.ts";
import { endpoint, json, type Tag } from "./basics/endpoint.ts";
import { Lead, WrittenLead } from "./leads/lead.ts";
import { versionRead } from "./leads/lead-input.ts";
import { DUPLICATE_REASONS, LIKENESSES } from "./lists/duplicates.ts";

const tag: Tag = { name: "merges", description: "Find duplicates, merge them, and undo a merge." };

const Side = Type.Union([Type.Literal("this"), Type.Literal("other")]);

export const MergeInput = Type.Object(
  {
    with: Type.String({ description: "The id of the lead to merge into this one." }),
    prefer: Type.Optional(
      Type.Union([Side, Type.Record(Type.String(), Side)], {
        description:
          'Which value to keep where both have one: "this" (the default), "other", or one of them per field. Empty fields are always filled.',
      }),
    ),
    version: versionRead("The version of this lead that the merge is based on; the same as If-Match."),
    with_version: versionRead("The version of the other lead that the merge is based on."),
  },
  {
    additionalProperties: false,
    $id: "MergeInput",
    description: "Which lead to merge, and whose values win.",
  },
);
export type MergeInput = Static<typeof MergeInput>;

const Merge = Type.Object(
  {
    merge_id: Type.String({ description: "For POST /api/v1/merges/{id}/undo." }),
    merged_id: Type.String({ description: "The lead that was merged into this one." }),
    changed: Type.Optional(
      Type.Array(Type.String(), {
        description: "The fields of this lead that changed; left out for a key that may not read leads.",
      }),
    ),
    lead: WrittenLead,
  },
  { $id: "Merge", description: "What a merge did." },
);

const UndoneMerge = Type.Object(
  {
    merge_id: Type.String(),
    leads: Type.Array(WrittenLead, {
      minItems: 2,
      maxItems: 2,
      description: "The surviving lead, then the one that was merged into it.",
    }),
    kept: Type.Optional(
      Type.Array(Type.String(), {
        description:
          "Fields that have changed since the merge and were left as they are; left out for a key that may not read leads.",
      }),
    ),
  },
  { $id: "UndoneMerge", description: "Both leads after a merge was undone." },
);

const Duplicate = Type.Object(
  {
    lead: Lead,
    score: Type.Number({ minimum: 0, maximum: 1, description: "How likely it is that they are one person." }),
    reasons: Type.Array(
      Type.Object(
        {
          code: oneOf(DUPLICATE_REASONS, {
            description:
              "What both leads have in common; conflict: a submission by a key with leads:create fits both.",
          }),
          value: orNull(Type.String(), {
            description: "The value that they share; null for name_and_company and conflict.",
          }),
        },
        { $id: "DuplicateReason", examples: [{ code: "email", value: "ana@example.org" }] },
      ),
      { description: "The most reliable first; at least one." },
    ),
  },
  { $id: "Duplicate", description: "A lead that may be the same person." },
);

const DuplicatePage = Type.Object(
  { duplicates: Type.Array(Duplicate), next_cursor: nextCursor },
  { $id: "DuplicatePage" },
);

const DuplicateGroup = Type.Object(
  {
    count: Type.Integer({ minimum: 2, description: "The number of leads in the group." }),
    leads: Type.Array(Lead, { description: "The five oldest." }),
  },
  { $id: "DuplicateGroup", description: "Leads that may be the same person." },
);
export type DuplicateGroup = Static<typeof DuplicateGroup>;

const DuplicateGroupPage = Type.Object(
  { groups: Type.Array(DuplicateGroup), next_cursor: nextCursor },
  { $id: "DuplicateGroupPage" },
);

/** How to look for groups of duplicates. */
export const DuplicateGroupsQuery = Type.Object(
  {
    by: Type.Enum(LIKENESSES),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: "Default: 20." })),
    cursor: Type.Optional(
      Type.String({ maxLength: 10_000, description: "next_cursor of the previous page." }),
    ),
  },
  { additionalProperties: false },
);
export type DuplicateGroupsQuery = Static<typeof DuplicateGroupsQuery>;

const usual = { tag, refusals: "v1" } as const;

export const listDuplicateGroups = endpoint({
  ...usual,
  id: "leads.duplicateGroups",
  method: "GET",
  url: "/api/v1/leads/duplicates",
  summary: "Find groups of duplicates",
  description:
    "Groups of leads with the same e-mail (ignoring case), the same phone, the same name and company, or that one submission by a key " +
    "with leads:create fits (conflict), the largest first, each with its five oldest leads. Every page compares all leads.",
  needs: "leads:read",
  query: DuplicateGroupsQuery,
  answers: { 200: json(DuplicateGroupPage, "A page of groups.") },
});

export const listDuplicates = endpoint({
  ...usual,
  id: "leads.duplicates",
  method: "GET",
  url: "/api/v1/leads/{id}/duplicates",
  summary: "Find duplicates of a lead",
  description:
    "Leads that may be the same person, the most likely first, with reasons and a score from 0 to 1. At most 200 " +
    "leads are compared for each reason.",
  needs: "leads:read",
  params: IdInPath,
  query: Type.Object(paging),
  answers: { 200: json(DuplicatePage, "A page of duplicates.") },
  refused: [404],
});

export const mergeLeads = endpoint({
  ...usual,
  id: "leads.merge",
  method: "POST",
  url: "/api/v1/leads/{id}/merge",
  summary: "Merge another lead into this one",
  description:
    "This lead keeps its values and fills empty fields from the other; tags, e-mails and phones are combined, all events of " +
    "both are on its timeline, those of the other marked by merged_from. The other lead is then 404 with the code merged " +
    "and this lead's id. POST /api/v1/merges/{merge_id}/undo undoes it. 422 if a list would have more than 100 entries. " +
    "With If-Match, or version in the body, 412 unless it is this lead's current version, and with with_version unless that is " +
    "the other's.",
  needs: "leads:write",
  params: IdInPath,
  ifMatch: true,
  body: MergeInput,
  examples: {
    keep: { with: "lead_01m828fqhxe00brgv3qnb7cz65" },
    choose: { with: "lead_01m828fqhxe00brgv3qnb7cz65", prefer: { company: "other", "custom.plan": "other" } },
  },
  answers: { 200: json(Merge, "The leads were merged.") },
  refused: [404, 412, 422],
});

export const undoMerge = endpoint({
  ...usual,
  id: "merges.undo",
  method: "POST",
  url: "/api/v1/merges/{id}/undo",
  summary: "Undo a merge",
  description:
    "Both leads are restored with their own events; events since the merge stay with the first. Later changes are kept " +
    "and listed under kept. 409 if it was already undone, or its lead has since been merged or deleted, or " +
    "another lead has the external_id of one of them by now. do_not_contact under kept is an opt-out that came with the merge: " +
    "clear_opt_out: true clears it.",
  needs: "leads:write",
  params: IdInPath,
  body: ClearingInput,
  examples: { undo: {}, clearing: { clear_opt_out: true } },
  answers: { 200: json(UndoneMerge, "The merge was undone.") },
  refused: [404, 409],
});
