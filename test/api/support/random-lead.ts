import { newId } from "../../../src/core/id.ts";
import * as pools from "./random-filter.ts";

export const CUSTOM = {
  plan: "text",
  mail: "email",
  seats: "number",
  active: "boolean",
  size: "enum",
  since: "date",
  at: "datetime",
};

type Row = Record<string, unknown>;

/** Returns a recent time, half an hour away from every boundary of the filters of days and hours. */
const recent = (random: () => number) =>
  new Date(Date.now() - (Math.floor(random() * 100) - 10) * 43_200_000 - 1_800_000).toISOString();

const timeFrom = (random: () => number) =>
  (random() < 0.5 ? recent(random) : pools.pick(random, pools.TIMES)).replace("Z", "+00:00");

/** Returns a lead with values from the pools of the filters, so that they match; its events are in order. */
export function randomLead(random: () => number): Row & { id: string; events: Row[] } {
  const some = <T>(list: readonly T[]) => (random() < 0.25 ? null : pools.pick(random, list));
  const several = (list: readonly string[]) => list.filter(() => random() < 0.25);
  const phone = some(pools.PHONES);
  const custom = {
    plan: some(pools.TEXTS),
    mail: some(pools.EMAILS),
    seats: some(pools.NUMBERS),
    active: some([true, false]),
    size: some(pools.ENUMS),
    since: some(pools.DAYS),
    at: random() < 0.25 ? null : timeFrom(random),
  };
  const events = Array.from({ length: Math.floor(random() ** 2 * 8) }, () => randomEvent(random));
  const order = (a: Row, b: Row) =>
    Date.parse(String(a.occurred_at)) - Date.parse(String(b.occurred_at)) ||
    (String(a.id) < String(b.id) ? -1 : 1);
  return {
    id: newId("lead"),
    name: some(pools.TEXTS),
    first_name: some(pools.TEXTS),
    last_name: some(pools.TEXTS),
    company: some(pools.TEXTS),
    city: some(pools.TEXTS),
    source: some(pools.TEXTS),
    email: some(pools.EMAILS),
    emails: several(pools.TAGS),
    phone: phone && (random() < 0.5 ? phone : `(11) 9${phone.slice(-4)}`),
    phone_e164: phone,
    score: some(pools.NUMBERS),
    value: some(pools.NUMBERS),
    version: 1 + Math.floor(random() * 4),
    do_not_contact: random() < 0.5,
    status: pools.pick(random, pools.ENUMS),
    external_id: some(pools.ENUMS),
    tags: several(pools.TAGS),
    created_at: timeFrom(random),
    first_touch: random() < 0.3 ? null : timeFrom(random),
    custom: Object.fromEntries(
      Object.entries(custom).filter(([, value]) => value !== null || random() < 0.2),
    ),
    events: events.sort(order),
  };
}

function randomEvent(random: () => number): Row {
  const some = <T>(list: readonly T[]) => (random() < 0.25 ? null : pools.pick(random, list));
  const data = {
    text: some(pools.TEXTS),
    number: some([...pools.NUMBERS.slice(0, 14), "12.5", "-7.25", "NaN", "1e3"]),
    flag: some([true, false, "true"]),
    day: some([...pools.DAYS, ...pools.TIMES, "soon", "infinity"]),
    mixed: some([1, "1", true, "x", "", [1], 12.5, "99"]),
  };
  return {
    id: newId("evt"),
    type: pools.pick(random, pools.EVENT_TYPES),
    source: some(pools.TEXTS),
    title: pools.pick(random, pools.TEXTS),
    occurred_at: timeFrom(random),
    recorded_at: timeFrom(random),
    actor: random() < 0.3 ? {} : { type: pools.pick(random, ["key", "person"]), label: some(pools.TEXTS) },
    data: Object.fromEntries(Object.entries(data).filter(() => random() < 0.8)),
  };
}
