import { type Clock, DAY_MS, HOUR_MS } from "./clock.ts";
import { CITIES, companyOf, FIRST, LAST, plain } from "./names.ts";
import { type MemberName, OPEN, type PlantedEvent, type PlantedLead, type Status } from "./planted.ts";
import type { Random } from "./random.ts";

const OLD_LEADS = 10_860;
const OLD_EVENTS = ["call.made", "email.sent", "form.submitted"] as const;
const PLANS = ["Básico", "Profissional", "Empresarial"] as const;
const SELLERS: readonly (MemberName | null)[] = ["vera", "vera", "caio", "caio", "iara", null];

/** How many leads came in from each source, and how many of them were won: this quarter, and the one before. */
const SOURCES = [
  { name: "Google Ads", now: [200, 30], before: [180, 36] },
  { name: "Instagram", now: [150, 12], before: [160, 8] },
  { name: "Indicação", now: [80, 28], before: [90, 27] },
  { name: "Site", now: [120, 12], before: [100, 15] },
  { name: "Feira ABF", now: [50, 11], before: [40, 4] },
] as const;

/** Minutes until the first call, by owner; nobody calls leads without an owner. */
const PATIENCE: Record<MemberName, readonly [number, number]> = {
  vera: [12, 44],
  caio: [130, 290],
  iara: [1_200, 1_750],
  marina: [60, 60],
};

const NEWS_DAYS = [20, 60] as const;
/** Everybody who is not cold was active in the last 70 days, everybody else not in the last 110. */
const COLD_DAYS = [112, 400] as const;

/** The leads without a story of their own: thousands that went cold, and those of two quarters. */
export function crowdOf(clock: Clock, random: Random): PlantedLead[] {
  let made = 0;
  const fresh = (createdAt: Date, source: string, status: Status, owner: MemberName | null): PlantedLead => {
    made += 1;
    const first = random.pick(FIRST);
    const last = random.pick(LAST);
    const company = companyOf(random.whole(0, 303));
    const [city, area] = random.pick(CITIES);
    const number = `${random.whole(910, 989)}${String(made).padStart(5, "0")}`;
    const phone = `(${area}) 9${number.slice(0, 4)}-${number.slice(4)}`;
    return {
      ...{ key: `crowd-${made}`, name: `${first} ${last}`, company, city, status, owner, source, createdAt },
      email: `${plain(first)}.${plain(last)}.${made}@${plain(company).replaceAll(".", "")}.example`,
      ...(random.part() < 0.85 ? { phone } : {}),
      value: random.whole(5, 400) * 100,
      ...{ tags: [], plan: random.pick(PLANS), employees: random.whole(2, 400), events: [] },
    };
  };
  const ago = (days: number) => new Date(clock.now.getTime() - days * DAY_MS - random.part() * DAY_MS);

  const old = Array.from({ length: OLD_LEADS }, () => {
    const active = random.whole(...COLD_DAYS);
    const status = random.part() < 0.97 ? random.pick(OPEN) : random.pick(["Ganho", "Perdido"] as const);
    const source = random.pick(SOURCES).name;
    const lead = fresh(
      ago(Math.max(active, 200) + random.whole(2, 300)),
      source,
      status,
      random.pick(SELLERS),
    );
    lead.events.push({ type: random.pick(OLD_EVENTS), at: ago(active) });
    return lead;
  });

  /** A lead of a quarter: its form, the first call if somebody called, and a newsletter or a visit of the site since. */
  const ofQuarter = (from: Date, to: Date, source: string, won: boolean): PlantedLead => {
    const span = to.getTime() - from.getTime() - 4 * HOUR_MS;
    const createdAt = new Date(from.getTime() + 2 * HOUR_MS + Math.floor(random.part() * span));
    const owner = random.pick(SELLERS);
    const lead = fresh(createdAt, source, won ? "Ganho" : random.pick([...OPEN, "Perdido"] as const), owner);
    lead.events.push({ type: "form.submitted", at: createdAt, data: { page: "/contato" } });
    const called = owner === null ? undefined : answered(lead, owner);
    const seen = ago(random.whole(...NEWS_DAYS));
    const after = (called?.at ?? createdAt).getTime() + HOUR_MS;
    const type = called === undefined ? "page.viewed" : "email.sent";
    if (seen.getTime() > after) lead.events.push({ type, at: seen, data: { subject: "Novidades" } });
    return lead;
  };
  const answered = (lead: PlantedLead, owner: MemberName): PlantedEvent | undefined => {
    const at = new Date(lead.createdAt.getTime() + random.whole(...PATIENCE[owner]) * 60_000);
    if (at.getTime() > clock.now.getTime() - HOUR_MS) return undefined;
    const called = { type: "call.made", at, data: { outcome: "reached" } };
    lead.events.push(called);
    return called;
  };
  const quarterOf = (from: Date, to: Date, source: string, [all, won]: readonly [number, number]) =>
    Array.from({ length: all }, (_, n) => ofQuarter(from, to, source, n < won));

  return [
    ...old,
    ...SOURCES.flatMap(({ name, before }) => quarterOf(clock.quarterBefore, clock.quarter, name, before)),
    ...SOURCES.flatMap(({ name, now }) => quarterOf(clock.quarter, clock.now, name, now)),
  ];
}
