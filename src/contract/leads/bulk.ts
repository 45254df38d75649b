import { type Static, type TSchema, Type } from "typebox";
import { closed, orNull } from "../basics/basics.ts";
import { oneOf } from "../basics/constants.ts";
import { endpoint, json } from "../basics/endpoint.ts";
import { Fault, Problem } from "../basics/problem.ts";
import { Filter } from "../filters/filter.ts";
import { Job } from "../jobs/jobs.ts";
import { OUTCOMES } from "../lists/outcomes.ts";
import { tag } from "./lead.ts";
import {
  ClearOptOut,
  Fill,
  LeadInput,
  LeadToChange,
  LeadToUpdate,
  LeadToUpsert,
  MatchOn,
  NewLead,
} from "./lead-input.ts";
import { LeadCount } from "./query.ts";

const dry_run = Type.Optional(
  Type.Boolean({ description: "Does everything, returns the result, and rolls it back." }),
);

const itemsOf = <Item extends TSchema>(item: Item) => Type.Array(item, { minItems: 1, maxItems: 500 });

const set = LeadInput;
const tags = Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { minItems: 1, maxItems: 100 });
const tagging = oneOf(["tag_add", "tag_remove"]);

const { search, timezone } = LeadCount.properties;

/** Which leads a change by filter is for. */
const found = {
  filter: Filter,
  search,
  timezone,
  expected_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      description: "How many leads match: 409 if the number differs. Required unless dry_run is true.",
    }),
  ),
  dry_run,
};

const BulkCreate = Type.Object(
  { op: oneOf(["create"]), items: itemsOf(NewLead), dry_run },
  { ...closed, $id: "BulkCreate", description: "Creates a lead for each item." },
);

const BulkUpsert = Type.Object(
  {
    op: oneOf(["upsert"]),
    items: itemsOf(LeadToUpsert),
    match_on: Type.Optional(MatchOn),
    fill: Fill,
    clear_opt_out: ClearOptOut,
    dry_run,
  },
  { ...closed, $id: "BulkUpsert", description: "Finds or creates a lead for each item." },
);

const BulkUpdate = Type.Object(
  { op: oneOf(["update"]), items: itemsOf(LeadToUpdate), clear_opt_out: ClearOptOut, dry_run },
  { ...closed, $id: "BulkUpdate", description: "Changes each lead in its own way." },
);

const BulkSet = Type.Object(
  { op: oneOf(["set"]), set, items: itemsOf(LeadToChange), clear_opt_out: ClearOptOut, dry_run },
  { ...closed, $id: "BulkSet", description: "Sets the same fields of each listed lead." },
);

const BulkTag = Type.Object(
  { op: tagging, tags, items: itemsOf(LeadToChange), dry_run },
  { ...closed, $id: "BulkTag", description: "Adds tags to each listed lead, or removes them." },
);

const BulkDelete = Type.Object(
  { op: oneOf(["delete", "restore"]), items: itemsOf(LeadToChange), dry_run },
  { ...closed, $id: "BulkDelete", description: "Deletes or restores each listed lead." },
);

const BulkSetByFilter = Type.Object(
  { op: oneOf(["set"]), set, clear_opt_out: ClearOptOut, ...found },
  { ...closed, $id: "BulkSetByFilter", description: "Sets the same fields of every lead that matches." },
);

const BulkTagByFilter = Type.Object(
  { op: tagging, tags, ...found },
  {
    ...closed,
    $id: "BulkTagByFilter",
    description: "Adds tags to every lead that matches, or removes them.",
  },
);

const BulkDeleteByFilter = Type.Object(
  { op: oneOf(["delete", "restore"]), ...found },
  {
    ...closed,
    $id: "BulkDeleteByFilter",
    description: "Deletes every lead that matches, or restores every deleted lead that does.",
  },
);

/** A change of many leads: of `items`, each with its own result, or of all leads that a filter finds. */
export const LeadsBulk = Type.Union(
  [
    ...([BulkCreate, BulkUpsert, BulkUpdate, BulkSet, BulkTag, BulkDelete] as const),
    ...([BulkSetByFilter, BulkTagByFilter, BulkDeleteByFilter] as const),
  ],
  { $id: "LeadsBulk", description: "What to change, and of which leads: those listed, or those that match." },
);
export type LeadsBulk = Static<typeof LeadsBulk>;

const BulkResult = Type.Object(
  {
    index: Type.Integer({ description: "The position of the item in the request." }),
    status: Type.Integer({ description: "The status that the item would have had in a call of its own." }),
    id: orNull(Type.String(), {
      description:
        "Null for an item that was refused before its lead was looked for, and for a lead that a dry run created.",
    }),
    outcome: oneOf([...OUTCOMES, "failed"]),
    version: orNull(Type.Integer(), {
      description: "The lead's version; null if it is not known.",
    }),
    error: orNull(Problem.properties.error),
    warnings: Type.Array(Fault, {
      description:
        "What is doubtful about an item although it was written: other leads have an e-mail or a phone that it gives its lead (held), " +
        "or its lead keeps an opt-out (opt_out_kept). " +
        "Empty for a key that may not read leads.",
    }),
  },
  {
    $id: "BulkResult",
    description: "What became of one item.",
    examples: [
      {
        ...{ index: 0, status: 200, id: "lead_01m828fqhxe00brgv3qnb7cz65", outcome: "updated" },
        ...{ version: 4, error: null, warnings: [] },
      },
      {
        ...{ index: 1, status: 404, id: null, outcome: "failed", version: null },
        error: { code: "not_found", message: "No such lead in this project.", details: [] },
        warnings: [],
      },
    ],
  },
);

export const BulkReport = Type.Object(
  {
    op: oneOf(["create", "update", "upsert", "set", "tag_add", "tag_remove", "delete", "restore"]),
    dry_run: Type.Boolean(),
    change_id: orNull(Type.String(), {
      description: "The change that the call made, by which it can be undone; null if nothing was written.",
    }),
    matched: Type.Optional(
      Type.Integer({ description: "How many leads match the filter; only for a change by filter." }),
    ),
    created: Type.Integer(),
    updated: Type.Integer(),
    unchanged: Type.Integer(),
    failed: Type.Integer(),
    opt_outs_kept: Type.Integer({
      description:
        "How many leads keep an opt-out that do_not_contact: false would have cleared, without clear_opt_out; 0 for a key that may not read leads.",
    }),
    results: Type.Optional(
      Type.Array(BulkResult, { description: "One per item, in the same order; only for a change of items." }),
    ),
  },
  {
    $id: "BulkReport",
    description: "What a change of many leads did.",
    examples: [
      {
        ...{ op: "tag_add", dry_run: false, change_id: "chg_01kagx3m5w8q2r7t9v4c6d1f0h", matched: 120 },
        ...{ created: 0, updated: 118, unchanged: 2, failed: 0, opt_outs_kept: 0 },
      },
    ],
  },
);
export type BulkReport = Static<typeof BulkReport>;

export const bulkLeads = endpoint({
  tag,
  refusals: "v1",
  id: "leads.bulk",
  method: "POST",
  url: "/api/v1/leads/bulk",
  summary: "Change many leads",
  description:
    "Up to 500 items, each with its own result: one that fails does not affect the others. Or every lead that a " +
    "filter matches, and 409 unless they are expected_count: up to 10,000 all or none; beyond that, 202 with the job " +
    "that changes them. dry_run rolls everything back. A filter, dry_run and conditions of an upsert need leads:read, too.",
  needs: "leads:write",
  body: LeadsBulk,
  examples: {
    upsert: {
      op: "upsert",
      match_on: ["external_id"],
      items: [
        { external_id: "crm-17", name: "Ana Souza", status: "won" },
        { external_id: "crm-18", name: "Bo Lindqvist", company: "Lindqvist AB" },
      ],
    },
    filter: {
      op: "tag_add",
      tags: ["brazil"],
      filter: { field: "country", op: "eq", value: "BR" },
      expected_count: 120,
    },
  },
  answers: {
    200: json(BulkReport, "The outcome of each item, or the counts of a filter.", ["X-Leadgate-Warning"]),
    202: json(Job, "The job that changes the leads.", ["Location", "X-Leadgate-Warning"]),
  },
  refused: [409, 422],
});
