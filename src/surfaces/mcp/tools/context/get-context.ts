import { Type } from "typebox";
import { OPERATORS } from "../../../../contract/lists/operators.ts";
import { countSuppressions } from "../../../../domain/erasure/suppressions.ts";
import { type FieldAbilities, listFields } from "../../../../domain/fields/list-fields.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { listOwners } from "../../../../domain/projects/list-owners.ts";
import { LEADS_COUNTED, readProjectCard } from "../../../../domain/projects/read-project-card.ts";
import { type ProjectSummary, readSummary } from "../../../../domain/projects/read-summary.ts";
import { listEventTypes } from "../../../../domain/timeline/list-event-types.ts";
import { describeLimits } from "../../../../domain/usage/describe-limits.ts";
import { outside } from "../shared/outside-text.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { shortened } from "../shared/table.ts";
import { composedTool } from "../shared/tool.ts";
import { exactly, oneOf } from "../shared/words.ts";

/** Maximum size of each list in the answer, in bytes. */
const ROOM = { fields: 30_000, views: 6_000, datasets: 12_000, members: 6_000 };
const MOST = 100;
const MOST_TYPES = 60;

/** Performs several operations at once: the project's card, its fields, its summary, its members, its types of events. */
export const getContextTool = composedTool({
  name: "get_context",
  title: "Read the context",
  description:
    "Start here: the project, today's date, the user and what they may do, statuses, owners, custom fields, datasets, " +
    "views, types of events, usual values. full: every field with its operators and values.",
  input: exactly({ detail: Type.Optional(oneOf(["concise", "full"], "Default concise")) }),
  needs: "leads:read",
  idempotent: true,
  async run({ service, caller }, { detail = "concise" }) {
    const [card, fields, summary, owners, types, suppressions, limits] = await Promise.all([
      perform(service, readProjectCard, caller, {}),
      perform(service, listFields, caller, {}),
      perform(service, readSummary, caller, {}),
      perform(service, listOwners, caller, {}),
      perform(service, listEventTypes, caller, {}),
      perform(service, countSuppressions, caller, {}),
      detail === "full" ? perform(service, describeLimits, caller, {}) : undefined,
    ]);
    const {
      statuses,
      meanings,
      leads,
      id,
      name,
      timezone,
      default_country: country,
      currency,
      created_at,
    } = card.project;
    const isFull = detail === "full";
    const lists = {
      fields: fields.filter(({ custom }) => custom || isFull).map((field) => fieldOf(field, summary, isFull)),
      views: summary.views,
      datasets: summary.datasets.map((dataset) => (isFull ? dataset : briefDataset(dataset))),
      members: owners.map(({ id: member, name: who, me }) => ({
        id: member,
        name: who,
        ...(me ? { me } : {}),
      })),
    };
    const { shown, left } = fitted(lists);
    const { fields: custom = [], ...others } = shown;
    return {
      ...(outside({
        project: {
          ...{ id, name, timezone, default_country: country, currency, leads },
          ...(leads >= LEADS_COUNTED ? { at_least: true } : {}),
          ...(isFull ? { created_at } : {}),
        },
        today: card.today,
        now: isFull ? card.now : shortened(card.now),
        person: card.person,
        scopes: card.scopes,
        may_write: card.scopes?.includes("mcp:write") === true && card.person?.role !== "viewer",
        statuses,
        suppressed_addresses: suppressions.count,
        status_meanings: Object.fromEntries(
          Object.entries(meanings).filter(([, meaning]) => meaning !== "open"),
        ),
        ...(isFull
          ? {
              operators: Object.entries(OPERATORS).map(([type, operators]) => ({ type, operators })),
              fields: custom,
            }
          : {
              ...(custom.length > 0 ? { custom_fields: custom } : {}),
              usual: usualOf(summary),
            }),
        ...(types.length > 0 ? { event_types: types.slice(0, MOST_TYPES) } : {}),
        ...Object.fromEntries(Object.entries(others).filter(([, list]) => list.length > 0)),
      }) as object),
      ...(limits === undefined
        ? {}
        : { limits: { answer_bytes: ANSWER_BYTES, ...(limits.mcp === null ? {} : { calls: limits.mcp }) } }),
      ...(left.length > 0
        ? { hint: `${left.join(", ")} are not complete; detail: full and read_dataset list more.` }
        : {}),
      untrusted_content: [
        "project",
        ...(types.length > 0 ? ["event_types"] : []),
        ...(isFull ? ["fields"] : ["usual", ...(custom.length > 0 ? ["custom_fields"] : [])]),
        ...Object.keys(others).filter((name) => (others[name] ?? []).length > 0),
      ],
    };
  },
});

/** The fields of which a concise answer names the usual values. */
const USUAL = ["source", "campaign", "city", "tags"];

const usualOf = ({ frequent }: ProjectSummary): object =>
  Object.fromEntries(USUAL.flatMap((name) => (frequent[name] === undefined ? [] : [[name, frequent[name]]])));

const briefDataset = ({ key, columns, link }: ProjectSummary["datasets"][number]): object => ({
  key,
  columns,
  ...(link === null ? {} : { link }),
});

function fieldOf(
  { name, label, type, options, custom }: FieldAbilities,
  { frequent }: ProjectSummary,
  isFull: boolean,
): object {
  const own = name === "status" ? null : options;
  return {
    name,
    label,
    type,
    ...(custom && isFull ? { custom } : {}),
    ...(own === null ? {} : { options: own.slice(0, 50) }),
    ...(frequent[name] === undefined ? {} : { frequent: frequent[name] }),
  };
}

/** Returns the first items of each list that fit its room, and the names of the lists that are incomplete. */
function fitted(lists: Record<keyof typeof ROOM, readonly object[]>): {
  shown: Record<string, object[]>;
  left: string[];
} {
  const shown: Record<string, object[]> = {};
  const left: string[] = [];
  for (const [name, list] of Object.entries(lists)) {
    const most = name === "fields" ? list : list.slice(0, MOST);
    shown[name] = fitList(most, ROOM[name as keyof typeof ROOM]);
    if (shown[name].length < list.length) left.push(name);
  }
  return { shown, left };
}
