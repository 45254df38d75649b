import {
  type Call,
  callsOf,
  type History,
  isAcknowledged,
  isUnknown,
  listIn,
  textIn,
  valueIn,
} from "../history.ts";
import type { Broken } from "./broken.ts";
import { deletionsIn, finalLeads, writesIn } from "./writes.ts";

interface Told {
  id: string;
  type: string;
  lead: string;
  external: string;
  to: string;
}

/** A change that the feed must have once: its event, and the call that made it. */
interface Due {
  call: Call;
  is: string;
}

const keyOf = ({ type, lead, external, to }: Omit<Told, "id">): string =>
  ({
    "lead.created": `created ${lead}`,
    "lead.deleted": `deleted ${lead}`,
    "lead.updated": `changed to ${to}`,
    "note.added": `noted ${external}`,
  })[type] ?? `other ${type}`;

/** Each follower sees every acknowledged change once, nothing twice, and in the order in which they were made. */
export function checkFeed(history: History): Broken[] {
  const pages = callsOf(history, "feed.page").filter(isAcknowledged);
  const readers = [...Map.groupBy(pages, ({ actor }) => actor)].map(([reader, own]) => ({
    reader,
    told: own.flatMap(({ answer }) => listIn(answer, "events").map(toldIn)),
  }));
  const due = dueIn(history);
  const unknown = new Set(unknownIn(history));
  const there = finalLeads(history).leads.map(({ id }) => `created ${id}`);
  const gone = [...deletionsIn(history).keys()].map((id) => `created ${id}`);
  const possible = new Set([...due.map(({ is }) => is), ...unknown, ...there, ...gone]);
  const [first] = readers;
  return readers.flatMap(({ reader, told }) => [
    ...checkReader(reader, told, due, unknown),
    ...checkPossible(reader, new Set(told.map(keyOf)), possible, there),
    ...(first !== undefined && first.told.map(({ id }) => id).join() !== told.map(({ id }) => id).join()
      ? [{ promise: "feed", what: `${reader} saw other events than ${first.reader}` } as const]
      : []),
  ]);
}

const toldIn = (event: unknown): Told => {
  const to = valueIn(event, "to");
  return {
    ...{ id: textIn(event, "id"), type: textIn(event, "type"), lead: textIn(event, "lead_id") },
    ...{ external: textIn(event, "external"), to: typeof to === "string" ? to : "" },
  };
};

function dueIn(history: History): Due[] {
  const changes = writesIn(history).map(({ call, kind, lead, value }): Due => {
    const is = { create: `created ${lead}`, delete: `deleted ${lead}`, change: `changed to ${value}` }[kind];
    return { call, is };
  });
  const notes = callsOf(history, "event.add").filter(isAcknowledged);
  // The first acknowledgement counts; a repeated request finds the event that is there.
  const noted = new Map(notes.toReversed().map((call) => [`noted ${call.about.external}`, call]));
  return [...changes, ...[...noted].map(([is, call]) => ({ is, call }))];
}

/** Changes that may be in the feed, or not. */
const unknownIn = (history: History): string[] =>
  callsOf(history, "lead.change", "lead.upsert", "lead.delete", "event.add")
    .filter(isUnknown)
    .map(({ op, about }) => {
      if (op === "event.add") return `noted ${about.external}`;
      return op === "lead.delete" ? `deleted ${about.lead}` : `changed to ${about.value}`;
    });

/** Nothing is told that nobody asked for, and each lead that is there was created. */
function checkPossible(
  reader: string,
  told: ReadonlySet<string>,
  possible: ReadonlySet<string>,
  there: readonly string[],
): Broken[] {
  const phantoms = [...told].filter((key) => /^(created|deleted|noted|changed to) ./.test(key));
  return [
    ...phantoms
      .filter((key) => !possible.has(key))
      .map((key) => ({ promise: "feed", what: `${reader} saw what nobody asked for: ${key}` }) as const),
    ...there
      .filter((key) => !told.has(key))
      .map((key) => ({ promise: "feed", what: `${reader} never saw a lead that is there: ${key}` }) as const),
  ];
}

function checkReader(
  reader: string,
  told: readonly Told[],
  due: readonly Due[],
  unknown: ReadonlySet<string>,
): Broken[] {
  const broken: Broken[] = [];
  const say = (what: string) => broken.push({ promise: "feed", what: `${reader} ${what}` });
  const places = Map.groupBy(
    told.map((event, place) => ({ key: keyOf(event), place })),
    ({ key }) => key,
  );
  for (const [id, { length }] of Map.groupBy(told, ({ id }) => id))
    if (length > 1) say(`saw the event ${id} ${length} times`);
  for (const [key, { length }] of places)
    if (length > 1 && !key.startsWith("other ") && key !== "changed to ") say(`saw ${length} events: ${key}`);
  const callOf = new Map(due.map(({ is, call }) => [is, call]));
  for (const { is, call } of due) if (!places.has(is)) say(`never saw: ${is} (call ${call.n})`);
  // From the end: of all later events, the one whose call ended first.
  let earliest: { call: Call; key: string } | undefined;
  for (const event of told.toReversed()) {
    const key = keyOf(event);
    const call = callOf.get(key);
    if (call === undefined || unknown.has(key)) continue;
    if (earliest !== undefined && earliest.call.end < call.start)
      say(
        `saw ${key} (call ${call.n}) before ${earliest.key} (call ${earliest.call.n}), which had ended first`,
      );
    if (earliest === undefined || call.end < earliest.call.end) earliest = { call, key };
  }
  return broken;
}
