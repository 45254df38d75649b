import { leadsAfter } from "./changes.ts";
import { clockOf, DAY_MS } from "./clock.ts";
import type { Planted } from "./plant.ts";
import { type MemberName, OPEN, type PlantedLead, type PlantedVisit, type Story } from "./planted.ts";

/** What is known about a planted project, without asking the service. */
export interface Facts {
  now: Date;
  /** The leads as they are after all planted changes, without deleted and merged ones. */
  leads: readonly PlantedLead[];
  visits: readonly PlantedVisit[];
  /** Leads by the planted key, the deleted and the merged one included. */
  lead(key: string): PlantedLead;
  /** The id of a lead in each copy of the project. */
  id(key: string): string;
  memberId(name: MemberName): string;
  /** Leads that came in in the present quarter, and in the one before. */
  thisQuarter: readonly PlantedLead[];
  lastQuarter: readonly PlantedLead[];
  /** Open leads without activity for more than 90 days. */
  cold: readonly PlantedLead[];
}

const COLD_DAYS = 90;

export function factsOf(story: Story, planted: Planted): Facts {
  const clock = clockOf(story.now);
  const leads = leadsAfter(story);
  const known = new Map([...story.leads, ...leads].map((lead) => [lead.key, lead]));
  const needed = <T>(value: T | undefined, key: string): T => {
    if (value === undefined) throw new Error(`nothing is planted as ${key}`);
    return value;
  };
  const cameIn = (from: Date, to: Date) =>
    leads.filter(({ createdAt }) => createdAt >= from && createdAt < to);
  const border = story.now.getTime() - COLD_DAYS * DAY_MS;
  return {
    ...{ now: story.now, leads, visits: story.visits },
    lead: (key) => needed(known.get(key), key),
    id: (key) => needed(planted.leads[key], key),
    memberId: (name) => planted.members[name].id,
    thisQuarter: cameIn(clock.quarter, story.now),
    lastQuarter: cameIn(clock.quarterBefore, clock.quarter),
    cold: leads.filter((lead) => OPEN.includes(lead.status) && lastActivity(lead) < border),
  };
}

const lastActivity = ({ events }: PlantedLead): number => Math.max(...events.map(({ at }) => at.getTime()));

/** Returns the sum of the leads' values. */
export const worth = (leads: readonly PlantedLead[]): number =>
  leads.reduce((sum, { value }) => sum + value, 0);

/** Returns the share of the leads that were won, in percent; 0 for no leads. */
export const wonPercent = (leads: readonly PlantedLead[]): number =>
  leads.length === 0 ? 0 : (100 * leads.filter(({ status }) => status === "Ganho").length) / leads.length;

/** Returns the seconds from a lead's creation to its first call, e-mail or message from us, or undefined. */
export function responseSeconds({ createdAt, events }: PlantedLead): number | undefined {
  const ours = events
    .filter(({ type, at }) => OUTGOING.has(type) && at >= createdAt)
    .map(({ at }) => at.getTime());
  return ours.length === 0 ? undefined : (Math.min(...ours) - createdAt.getTime()) / 1_000;
}

const OUTGOING = new Set(["call.made", "email.sent", "message.sent"]);

/** Returns the median as PostgreSQL's percentile_cont computes it; NaN for no numbers. */
export function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = (sorted.length - 1) / 2;
  return ((sorted[Math.floor(middle)] ?? Number.NaN) + (sorted[Math.ceil(middle)] ?? Number.NaN)) / 2;
}
