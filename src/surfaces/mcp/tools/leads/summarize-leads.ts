import { type Static, Type } from "typebox";
import { aggregateLeads } from "../../../../domain/leads/figures/aggregate-leads.ts";
import { responseTimes } from "../../../../domain/leads/figures/response-times.ts";
import { perform } from "../../../../domain/operation/operation.ts";
import { readProjectCard } from "../../../../domain/projects/read-project-card.ts";
import type { Call } from "../../protocol/registry.ts";
import { shownAs } from "../../protocol/shown-schema.ts";
import { ShortFilter } from "../shared/filter.ts";
import { outside } from "../shared/outside-text.ts";
import { isOwner, ownersOf } from "../shared/owners.ts";
import { daysBetween, PERIOD, plusDays, type Span, spanBefore, spanOf } from "../shared/period.ts";
import { ANSWER_BYTES, fitList } from "../shared/size.ts";
import { composedTool } from "../shared/tool.ts";
import { VIEWS } from "../shared/views.ts";
import { exactly, present } from "../shared/words.ts";
import { currenciesOf, type Money } from "./currencies.ts";
import { type Figures, type Group, groupsOf, merged, ordered } from "./figures.ts";
import { Selection, selectionOf } from "./selection.ts";
import { type Asked, askedOf, faultsOf, serviceMetrics, summaryPath } from "./summary-input.ts";

const FRAME_BYTES = 2_000;
/** The most groups that are read: more cannot be compared or put in order here. */
const MOST_GROUPS = 1_000;

const Input = exactly({
  ...Selection,
  ...PERIOD,
  date_field: Type.Optional(
    Type.String({ maxLength: 100, description: "Of the period; default created_at." }),
  ),
  compare: Type.Optional(
    Type.Boolean({
      description: "Adds <metric>_before and _change in percent, of share and rate _points.",
    }),
  ),
  group_by: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 210 }), {
      maxItems: 2,
      description: "Fields; dates with an interval, such as created_at:month.",
    }),
  ),
  metrics: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 220 }), {
      minItems: 1,
      maxItems: 10,
      description:
        "count; share (percent of all these leads); rate (percent of the group that meets where, such as conversion); " +
        "response_hours (median to the first outgoing message or call, of those answered); sum_, avg_, median_, min_, max_, " +
        "count_distinct_<field>.",
    }),
  ),
  where: Type.Optional(
    shownAs(ShortFilter, { type: "object", description: "For rate, as filter: which leads count." }),
  ),
  sort: Type.Optional(
    Type.Array(Type.String({ maxLength: 221 }), {
      maxItems: 3,
      description: "Fields or metrics, such as -rate_change.",
    }),
  ),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 100 })),
});
type Input = Static<typeof Input>;

/** Computes figures, also those that a model would have to divide itself, in as many statements as it takes. */
export const summarizeLeadsTool = composedTool({
  name: "summarize_leads",
  title: "Summarize leads",
  description:
    "Exact figures of the leads that match: of all, and by up to two fields or by time; with compare, also of the " +
    "whole period before.",
  input: Input,
  needs: "leads:read",
  view: VIEWS.results,
  idempotent: true,
  check: (args) => faultsOf(args, askedOf(args)),
  path: summaryPath,
  async run(call, args) {
    const { limit = 100 } = args;
    const asked = askedOf(args);
    const now = await spanAsked(call, args);
    const before = args.compare === true && now !== undefined ? spanBefore(now) : undefined;
    const [groups, former] = await Promise.all([
      figuresOf(call, args, asked, now),
      before === undefined ? undefined : figuresOf(call, args, asked, before),
    ]);
    const all = ordered(merged(groups.list, former?.list, asked.metrics), asked.sort, {
      first: asked.metrics[0] ?? "count",
      isByTime: asked.groups.some(({ interval }) => interval !== undefined),
      main: groups.money.main ?? former?.money.main,
    });
    const mixed = new Set([...groups.money.of, ...(former?.money.of ?? [])]).size > 1;
    const told = mixed ? all : all.map(({ key, metrics }) => ({ key, metrics }));
    const named = await withOwners(call, asked, told.slice(0, limit));
    const shown = fitList(named, ANSWER_BYTES - FRAME_BYTES);
    const total = Math.max(groups.total, all.length);
    const [whole] =
      groups.all === undefined ? [] : merged([groups.all], former?.all && [former.all], asked.metrics);
    const isOpen = before !== undefined && /^(this_|today)/.test(args.period ?? "");
    return {
      ...(whole === undefined ? {} : { all: outside(allOf(whole, mixed)) }),
      groups: outside(shown),
      total_groups: total,
      ...(now === undefined ? {} : { period: now }),
      ...(before === undefined ? {} : { before }),
      ...groups.money.shown,
      ...(isOpen && now !== undefined && before !== undefined
        ? { period_is_over: false, note: await unevenNote(call, now, before) }
        : {}),
      ...(shown.length < total
        ? { truncated: true, hint: "Not every group is shown. Narrow the filter, or change the sort." }
        : {}),
      untrusted_content: ["groups"],
    };
  },
});

/** The figures of all leads, with the amounts of each currency if there are several. */
const allOf = ({ key: _, metrics, ...amounts }: Group, mixed: boolean): object => ({
  ...metrics,
  ...(mixed ? amounts : {}),
});

/** What to say of a period that goes on, with the same days of the one before. */
async function unevenNote({ service, caller }: Call, now: Span, before: Span): Promise<string> {
  const { today } = await perform(service, readProjectCard, caller, {});
  const until = plusDays(today, 1);
  const as = plusDays(before.from, daysBetween(now.from, until));
  // biome-ignore lint/complexity/useMathMinMax: days are compared as text
  const end = as < before.to ? as : before.to;
  return (
    "The period goes on, but the one before is whole. Say so, or read the same days of both: " +
    `from ${now.from} to ${until}, and from ${before.from} to ${end}.`
  );
}

async function spanAsked(call: Call, { period, from, to }: Input): Promise<Span | undefined> {
  if (period !== undefined) return await spanOf(call, period);
  return from === undefined || to === undefined ? undefined : { from, to };
}

/** The figures of the leads of a span, of each group and of `all`: each part is a statement of its own. */
async function figuresOf(
  call: Call,
  { where, filter, view, search, date_field: date = "created_at" }: Input,
  asked: Asked,
  span: Span | undefined,
): Promise<{ list: Group[]; all?: Group; total: number; money: Money }> {
  const { service, caller } = call;
  const { groups, metrics } = asked;
  const selection = await selectionOf(call, present({ filter, view, search }));
  const spanned = span === undefined ? [] : inSpan(date, span);
  const within = (more?: object) => {
    const all = [selection.filter, ...spanned, more].filter((part) => part !== undefined);
    const [only, ...others] = all;
    const filter = others.length === 0 ? only : { and: all };
    return {
      ...selection,
      ...(filter === undefined ? {} : { filter }),
      limit: MOST_GROUPS,
    };
  };
  const met = metrics.includes("rate")
    ? (await selectionOf(call, present({ filter: where }))).filter
    : undefined;
  const { list: own } = serviceMetrics({ metrics });
  const figuresBy = async (keys: Asked["groups"]): Promise<Figures & { total: number }> => {
    const [main, some, waits] = await Promise.all([
      perform(service, aggregateLeads, caller, { ...within(), group_by: keys, metrics: own }),
      met === undefined
        ? undefined
        : perform(service, aggregateLeads, caller, { ...within(met), group_by: keys }),
      metrics.includes("response_hours")
        ? perform(service, responseTimes, caller, { ...within(), group_by: keys })
        : undefined,
    ]);
    return {
      main: JSON.parse(main.json),
      ...(some === undefined ? {} : { some: JSON.parse(some.json) }),
      ...(waits === undefined ? {} : { waits: JSON.parse(waits.json) }),
      total: main.totalGroups,
    };
  };
  const [figures, whole, money] = await Promise.all([
    figuresBy(groups),
    groups.length === 0 ? undefined : figuresBy([]),
    currenciesOf(call, asked, within),
  ]);
  const [all] = whole === undefined ? [] : groupsOf(whole, metrics);
  return {
    list: groupsOf(figures, metrics, all),
    ...(all === undefined ? {} : { all }),
    total: figures.total,
    money,
  };
}

const inSpan = (field: string, { from, to }: Span): object[] => [
  { field, op: "on_or_after", value: from },
  { field, op: "before", value: to },
];

/** Groups by owner with the owners' names. */
async function withOwners(call: Call, { groups }: Asked, list: Group[]): Promise<object[]> {
  if (!groups.some(({ field }) => isOwner(field))) return list;
  const names = new Map((await ownersOf(call)).map(({ id, name }) => [id, name]));
  return list.map(({ key, ...rest }) => ({
    key: { ...key, owner: names.get(String(key.owner_id)) ?? "(no owner)" },
    ...rest,
  }));
}
