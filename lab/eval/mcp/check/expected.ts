import { folded } from "./needs.ts";
import type { Write } from "./writes.ts";

/** Writes that a job asks for, or allows. */
export interface Expected {
  /** For the report. */
  says: string;
  /** The lead that the write is about, if it can be about one only. */
  lead?: string;
  matches(write: Write): boolean;
  /** How many there must be, and may be. */
  least: number;
  most: number;
}

/** Fields that the service changes together with another. */
const COMPANIONS: Record<string, readonly string[]> = {
  phone: ["phone_e164", "phones"],
  email: ["emails"],
  value: ["currency"],
  status: ["lost_reason", "lifecycle_stage"],
};

/** Each of these leads has the fields, and no other field changed. */
export const changed = (leads: readonly string[], fields: Record<string, unknown>): Expected[] =>
  each(
    leads,
    (id) => `lead ${id} gets ${JSON.stringify(fields)}`,
    (write) => {
      if (write.what !== "lead.changed") return false;
      const may = new Set(Object.keys(fields).flatMap((field) => [field, ...(COMPANIONS[field] ?? [])]));
      return (
        Object.keys(write.fields).every((field) => may.has(field)) &&
        Object.entries(fields).every(([field, value]) => same(write.fields[field], value))
      );
    },
  );

/** Each of these leads has these tags in addition, and no other field changed. */
export const tagged = (leads: readonly string[], tag: string): Expected[] =>
  each(
    leads,
    (id) => `lead ${id} gets the tag ${tag}`,
    ({ what, fields }) => {
      const { tags, ...others } = fields;
      return what === "lead.changed" && Object.keys(others).length === 0 && hasTag(tags, tag);
    },
  );

const hasTag = (tags: unknown, tag: string): boolean =>
  Array.isArray(tags) && tags.some((each) => folded(String(each)) === folded(tag));

export const deleted = (leads: readonly string[]): Expected[] =>
  each(
    leads,
    (id) => `lead ${id} is deleted`,
    ({ what }) => what === "lead.deleted",
  );

export const restored = (leads: readonly string[]): Expected[] =>
  each(
    leads,
    (id) => `lead ${id} is restored`,
    ({ what }) => what === "lead.restored",
  );

/** These leads become one, whichever of them survives. */
export function becomeOne(leads: readonly string[]): Expected {
  const all = new Set(leads);
  return {
    says: `the leads ${leads.join(", ")} become one`,
    matches: ({ what, id, fields }) => what === "lead.merged" && all.has(id) && all.has(String(fields.into)),
    least: leads.length - 1,
    most: leads.length - 1,
  };
}

export const unmerged = (id: string): Expected => ({
  says: `lead ${id} is separate again`,
  matches: (write) => write.what === "lead.unmerged" && write.id === id,
  ...{ least: 1, most: 1 },
});

/** Each of these leads gets an event of this type whose text has the words. */
export const event = (leads: readonly string[], type: RegExp, said: RegExp): Expected[] =>
  each(
    leads,
    (id) => `lead ${id} gets ${type.source} with ${said.source}`,
    ({ what, fields }) => {
      const told = folded(`${fields.title ?? ""} ${JSON.stringify(fields.data ?? "")}`);
      return what === "event.added" && type.test(String(fields.type)) && said.test(told);
    },
  );

/** A new lead with this e-mail address and these fields; it may have others. */
export const created = (email: string, fields: Record<string, unknown>): Expected => ({
  says: `a new lead ${email}`,
  matches: (write) =>
    write.what === "lead.created" &&
    same(write.fields.email, email) &&
    Object.entries(fields).every(([field, value]) =>
      field === "tag" ? hasTag(write.fields.tags, String(value)) : same(write.fields[field], value),
    ),
  ...{ least: 1, most: 1 },
});

/** A new view with this name that shows exactly these leads. */
export const view = (name: string, leads: readonly string[]): Expected => ({
  says: `the view ${name} with ${leads.length} leads`,
  matches: ({ what, fields, shows = [] }) =>
    what === "view.created" &&
    same(fields.name, name) &&
    shows.length === leads.length &&
    leads.every((id) => shows.includes(id)),
  ...{ least: 1, most: 1 },
});

/** Any write of this kind for which the test holds, so many times. */
export const some = (
  what: string,
  says: string,
  holds: (fields: Record<string, unknown>) => boolean,
  times = 1,
): Expected => ({
  says,
  matches: (write) => write.what === what && holds(write.fields),
  ...{ least: times, most: times },
});

function each(
  leads: readonly string[],
  says: (id: string) => string,
  matches: (write: Write) => boolean,
): Expected[] {
  return leads.map((id) => ({
    ...{ says: says(id), lead: id, matches },
    ...{ least: 1, most: 1 },
  }));
}

/** Whether two values are the same for a person: without case and accents, and telephone numbers by their digits. */
function same(is: unknown, wanted: unknown): boolean {
  if (typeof is !== "string" || typeof wanted !== "string")
    return JSON.stringify(is) === JSON.stringify(wanted);
  if (folded(is).trim() === folded(wanted).trim()) return true;
  const [one, other] = [is, wanted].map((value) => value.replace(/\D/g, "").replace(/^55(?=\d{10,11}$)/, ""));
  return /^[\d\s()+-]{8,}$/.test(is) && one === other;
}

/** Returns the expected writes that are missing and the writes that nobody asked for. */
export function compare(
  expected: readonly Expected[],
  writes: readonly Write[],
): { missing: string[]; unexpected: Write[] } {
  const found = new Map<Expected, number>(expected.map((one) => [one, 0]));
  const unexpected: Write[] = [];
  // By lead, since a job may expect ten thousand writes.
  const byLead = Map.groupBy(expected, ({ lead }) => lead);
  for (const write of writes) {
    const candidates = [
      ...(byLead.get(write.lead) ?? []),
      ...(write.lead ? (byLead.get(undefined) ?? []) : []),
    ];
    const one = candidates.find((each) => (found.get(each) ?? 0) < each.most && each.matches(write));
    if (one === undefined) unexpected.push(write);
    else found.set(one, (found.get(one) ?? 0) + 1);
  }
  const missing = expected.filter((one) => (found.get(one) ?? 0) < one.least).map(({ says }) => says);
  return { missing, unexpected };
}
