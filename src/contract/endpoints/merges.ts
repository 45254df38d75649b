import { Type } from "typebox";
import { IdInPath, paging } from "../nouns/basics/basics.ts";
import {
  DuplicateGroupPage,
  DuplicateGroupsQuery,
  DuplicatePage,
  Merge,
  MergeInput,
  UndoneMerge,
} from "../nouns/merge.ts";
import { endpoint, json } from "./shared/endpoint.ts";

const usual = { tag: "merges", refusals: "v1" } as const;

export const listDuplicateGroups = endpoint({
  ...usual,
  id: "leads.duplicateGroups",
  method: "GET",
  url: "/api/v1/leads/duplicates",
  summary: "Find groups of duplicates",
  description:
    "Groups of leads with the same e-mail (ignoring case), the same phone, or the same name and company, the largest " +
    "first, each with its five oldest leads. Every page compares all leads.",
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
    "another lead has the external_id of one of them by now.",
  needs: "leads:write",
  params: IdInPath,
  answers: { 200: json(UndoneMerge, "The merge was undone.") },
  refused: [404, 409],
});
