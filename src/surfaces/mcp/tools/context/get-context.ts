import { OPERATORS } from "../../../../contract/lists/operators.ts";
import { type FieldAbilities, listFields } from "../../../../domain/fields/list-fields.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { LEADS_COUNTED, readProjectCard } from "../../../../domain/projects/read-project-card.ts";
import { type ProjectSummary, readSummary } from "../../../../domain/projects/read-summary.ts";
import { describeLimits } from "../../../../domain/usage/describe-limits.ts";
import { outside } from "../shared/outside-text.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { composedTool } from "../shared/tool.ts";
import { exactly } from "../shared/words.ts";
import { ContextAnswer } from "./context-answer.ts";

/** Maximum size of each list in the answer, in bytes. */
const ROOM = { fields: 30_000, views: 6_000, datasets: 12_000, members: 6_000 };
const MOST = 100;

/** Performs four operations at once: the project's card, its fields, its summary, its limits. */
export const getContextTool = composedTool({
  name: "get_context",
  title: "Read the project's context",
  description:
    "Start here: the project and its time zone, its local date, the user and what they granted, " +
    "every field with its type, options and most frequent values, the operators of each type, statuses, saved views, " +
    "datasets, members and limits. One call.",
  input: exactly({}),
  output: ContextAnswer,
  needs: "leads:read",
  idempotent: true,
  async run({ service, caller }) {
    const [card, fields, summary, limits] = await Promise.all([
      perform(service, readProjectCard, caller, {}),
      perform(service, listFields, caller, {}),
      perform(service, readSummary, caller, {}),
      perform(service, describeLimits, caller, {}),
    ]);
    const { statuses, leads, ...project } = card.project;
    const lists = {
      fields: fields.map((field) => fieldOf(field, summary)),
      views: summary.views,
      datasets: summary.datasets,
      members: summary.members,
    };
    const { shown, left } = fitted(lists);
    return {
      ...(outside({
        project: { ...project, leads, leads_relation: leads >= LEADS_COUNTED ? "gte" : "eq" },
        today: card.today,
        now: card.now,
        person: card.person,
        scopes: card.scopes,
        may_write: card.scopes?.includes("mcp:write") === true && card.person?.role !== "viewer",
        statuses,
        operators: Object.entries(OPERATORS).map(([type, operators]) => ({ type, operators })),
        ...shown,
      }) as object),
      limits: { answer_bytes: ANSWER_BYTES, ...(limits.mcp === null ? {} : { calls: limits.mcp }) },
      truncated: left.length > 0,
      ...(left.length > 0
        ? {
            hint: `${left.join(", ")} are not complete: see the resources leads://schema and leads://filters, and list_datasets.`,
          }
        : {}),
      untrusted_content: ["project", "fields", "views", "datasets", "members"],
    };
  },
});

function fieldOf(
  { name, label, type, options, custom }: FieldAbilities,
  { frequent }: ProjectSummary,
): object {
  const own = name === "status" ? null : options;
  return {
    name,
    label,
    type,
    ...(custom ? { custom } : {}),
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
